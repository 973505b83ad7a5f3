// The runner never overlaps two files in one worker, and the run is shared: so the sections come in through this one
// file.
import './05-authentication.suite.ts';
import './07-status-codes.suite.ts';
import './08-limit-headers.suite.ts';
import './08-limits.suite.ts';
import './09-versioning.suite.ts';
