-- Once, on the primary: psql -f roles.sql
CREATE ROLE klaverclub LOGIN PASSWORD 'change-this-3';
-- What the product asks of each connection, and PgBouncer cannot pass on.
ALTER ROLE klaverclub SET lock_timeout = '20s';
ALTER ROLE klaverclub SET jit = off;
CREATE DATABASE klaverclub OWNER klaverclub;
