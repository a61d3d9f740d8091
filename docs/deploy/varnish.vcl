# Varnish between nginx, or Caddy, and Klaverclub: it keeps what is the same for everybody and forgets
# a club's pages when something happens at the club. For Debian's varnish and varnish-modules:
# put it in /etc/varnish/default.vcl, set SHARED_CACHES=http://127.0.0.1:6081 in the environment of
# Klaverclub, and let the proxy in front pass on to 127.0.0.1:6081.
vcl 4.1;

import cookie;
import std;
import xkey;

backend klaverclub {
    .host = "127.0.0.1";
    .port = "8000";
}

# Who may say what is to be forgotten: the machines that Klaverclub runs on, and never the proxy in
# front of another machine.
acl klaverclub_servers {
    "127.0.0.1";
    "::1";
}

sub vcl_recv {
    if (req.method == "PURGE") {
        # What the proxy in front passes on says for whom.
        if (client.ip !~ klaverclub_servers || req.http.X-Forwarded-Proto) {
            return (synth(405));
        }
        set req.http.forgotten = xkey.purge(req.http.xkey);
        return (synth(200, req.http.forgotten));
    }
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
    # Kept are pages of clubs, and no page of a desk. What Klaverclub answers says whether.
    if (req.url !~ "^/clubs/[^/]+/" || req.url ~ "^/clubs/[^/]+/desk/") {
        return (pass);
    }
    if (req.http.Authorization || req.http.Cookie ~ "(^|; *)((__Host-)?sessionid|messages)=") {
        return (pass);
    }
    # A kept page depends on nothing else that a visitor says of themselves.
    cookie.parse(req.http.Cookie);
    cookie.keep("django_language,theme");
    set req.http.chosen = cookie.get_string();
    return (hash);
}

sub vcl_hash {
    hash_data(req.http.chosen);
}

sub vcl_backend_fetch {
    unset bereq.http.chosen;
}

sub vcl_backend_response {
    set beresp.grace = 0s;
    if (beresp.http.Surrogate-Control && !beresp.http.Set-Cookie) {
        set beresp.ttl = std.duration(regsub(beresp.http.Surrogate-Control, "^max-age=", "") + "s", 0s);
        # After that it is asked whether it changed, and sent again only if it did.
        set beresp.keep = 1m;
        set beresp.http.Vary = "Accept-Encoding";
    } else {
        # Whoever asks for the same a moment later does not wait for this answer.
        set beresp.uncacheable = true;
        set beresp.ttl = 1s;
    }
    return (deliver);
}

sub vcl_deliver {
    if (resp.http.xkey) {
        set resp.http.Vary = "Accept-Encoding, Cookie";
        unset resp.http.xkey;
        unset resp.http.Surrogate-Control;
        unset resp.http.Age;
    }
    unset resp.http.Via;
    unset resp.http.X-Varnish;
}
