/**
 * A script of `src/replay/script.ts`, in which no key becomes an argument of a process: everybody on the machine can read these in the
 * process list. Arguments of a shell's own functions are not in it, so the requests stay as they are, and only what starts curl changes.
 */
export function withUnlistedKeys(script: string): string {
  const [start] = STARTS_CURL.exec(script) ?? [];
  if (start === undefined) throw new Error('the script does not start curl in the way that keeps keys out of sight');
  // As functions: in a text, `$&` would stand for what was found.
  return script.replace(STARTS_CURL, () => `${UNLISTED}\n${start.replace(/curl $/, () => 'unlisted ')}`);
}

const STARTS_CURL = /^ask\(\) \{ curl /m;

/**
 * Sorts the arguments of curl: headers and the URL, which may contain a key, go to its standard input as lines of a configuration, and the
 * others stay. There a value stands in quotes, in which backslashes and quotes need a backslash. The shell itself writes the lines,
 * so no process has a key among its arguments on the way either. Brackets and braces in a URL mean only themselves.
 */
const UNLISTED = `# Keys go to curl on its standard input, since everybody can read the arguments of a process.
unlisted() {
  config= left=$#
  while [ "$left" -gt 0 ]; do
    case $1 in
      -H) config="$config
header $2"; shift 2; left=$((left - 2)) ;;
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
