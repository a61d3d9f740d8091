// All that the page of an evening runs, so that a phone asks once for it.

import "../../clubs/klaverclub.js";
import "../../clubs/live.js";
import "./me.js";
