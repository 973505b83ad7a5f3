/**
 * A shell function that starts curl so that no key becomes an argument of a process: everybody on the machine can read
 * these in the process list. Headers and what follows in the query, which may contain a key, go with the URL to curl's
 * standard input as lines of a configuration, and the other arguments stay. There a value stands in quotes, in which
 * backslashes and quotes need a backslash. The shell itself writes the lines, so no process has a key among its
 * arguments on the way either. Brackets and braces in a URL mean only themselves.
 */
export const UNLISTED = `# Keys go to curl on its standard input, since everybody can read the arguments of a process.
unlisted_curl() {
  config= left=$#
  while [ "$left" -gt 0 ]; do
    case $1 in
      -H) config="$config
header $2"; shift 2; left=$((left - 2)) ;;
      --url-query) config="$config
url-query $2"; shift 2; left=$((left - 2)) ;;
      -[oXwA]|--data-raw) set -- "$@" "$1" "$2"; shift 2; left=$((left - 2)) ;;
      *://*) config="$config
url $1"; shift; left=$((left - 1)) ;;
      *) set -- "$@" "$1"; shift; left=$((left - 1)) ;;
    esac
  done
  LC_ALL=C sed 's/[\\\\"]/\\\\&/g; s/ \\(.*\\)/ = "\\1"/' <<END | curl -g --config - "$@"
$config
END
}`;
