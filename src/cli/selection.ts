import { isRequirementId } from '../catalogue/catalogue.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import { asQuestion, nearest } from '../profile/nearest.ts';

/** Decides whether a requirement is selected. */
type Predicate = (id: string) => boolean;

class SelectionError extends Error {}

const IDS: readonly RequirementId[] = REQUIREMENTS.map(({ id }) => id);

/**
 * The requirements that `--only` and `--tags` select together, in the order of the catalogue; all of them if neither is
 * given. `only` is a comma-separated list of IDs and globs (`HDR-*`); `tags` an expression over these with `and`, `or`,
 * `not` (also `&&`, `||`, `!`) and parentheses, `not` binding closest and `or` loosest.
 */
export function selectRequirements(
  only: string | null,
  tags: string | null,
): { readonly ids: readonly RequirementId[] } | { readonly errors: readonly string[] } {
  const errors: string[] = [];
  const attempt = (option: string, text: string | null, parse: (text: string) => Predicate): Predicate => {
    try {
      return text === null ? () => true : parse(text);
    } catch (error) {
      if (!(error instanceof SelectionError)) throw error;
      errors.push(`${option}: ${error.message}`);
      return () => true;
    }
  };
  const inList = attempt('--only', only, parseList);
  const inTags = attempt('--tags', tags, parseExpression);
  if (errors.length > 0) return { errors };
  const ids = IDS.filter((id) => inList(id) && inTags(id));
  if (ids.length > 0) return { ids };
  return {
    errors: ['--only and --tags together select no requirement. Widen one of them; run "list" to see all IDs.'],
  };
}

function parseList(text: string): Predicate {
  const entries = text.split(',').map((entry) => entry.trim());
  if (entries.includes('')) throw new SelectionError('an ID is empty. Put one comma between two IDs.');
  const predicates = entries.map(matcher);
  return (id) => predicates.some((matches) => matches(id));
}

/** Nobody writes deeper expressions on purpose. */
const MAX_NESTING = 50;

/** expression = term { or term }; term = factor { and factor }; factor = not factor | ( expression ) | pattern. */
function parseExpression(text: string): Predicate {
  const tokens = text.match(/\(|\)|&&|\|\||!|[^\s()&|!]+|./gs)?.filter((token) => token.trim() !== '') ?? [];
  let next = 0;
  const takes = (...words: readonly string[]): boolean => {
    const found = words.includes(tokens[next]?.toLowerCase() ?? '');
    if (found) next += 1;
    return found;
  };
  const expression = (depth: number): Predicate => {
    let left = term(depth);
    while (takes('or', '||')) {
      const [a, b] = [left, term(depth)];
      left = (id) => a(id) || b(id);
    }
    return left;
  };
  const term = (depth: number): Predicate => {
    let left = factor(depth);
    while (takes('and', '&&')) {
      const [a, b] = [left, factor(depth)];
      left = (id) => a(id) && b(id);
    }
    return left;
  };
  const factor = (depth: number): Predicate => {
    if (depth > MAX_NESTING)
      throw new SelectionError(`the expression is nested deeper than ${MAX_NESTING} levels. Simplify it.`);
    if (takes('not', '!')) {
      const operand = factor(depth + 1);
      return (id) => !operand(id);
    }
    if (takes('(')) {
      const inner = expression(depth + 1);
      if (!takes(')')) throw new SelectionError(`")" is missing ${place(tokens[next])}.`);
      return inner;
    }
    const token = tokens[next];
    if (token === undefined || /^(and|or|&&|\|\||\))$/i.test(token)) {
      throw new SelectionError(`a requirement is missing ${place(token)}.`);
    }
    next += 1;
    return matcher(token);
  };
  const whole = expression(0);
  if (next < tokens.length) throw new SelectionError(`"and" or "or" is missing ${place(tokens[next])}.`);
  return whole;
}

function place(token: string | undefined): string {
  return token === undefined ? 'at the end' : `before ${JSON.stringify(token)}`;
}

function matcher(pattern: string): Predicate {
  if (!pattern.includes('*')) {
    if (isRequirementId(pattern)) return (id) => id === pattern;
    const near = IDS.some((id) => id.startsWith(`${pattern}-`)) ? `${pattern}-*` : nearest(pattern, IDS);
    throw new SelectionError(
      `there is no requirement ${JSON.stringify(pattern)}.${asQuestion(near)} Run "list" to see all IDs.`,
    );
  }
  const expression = new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*+/g, '.*')}$`);
  if (!IDS.some((id) => expression.test(id))) {
    throw new SelectionError(`no requirement matches ${JSON.stringify(pattern)}. Run "list" to see all IDs.`);
  }
  return (id) => expression.test(id);
}
