import type { OperationFacts, RequestClass } from '../../deployment/attribute.ts';
import type { Deviation } from '../../deployment/operators.ts';
import type { Explained } from '../../diagnosis/explained.ts';
import type { KindRuling } from '../../diagnosis/kind-ruling.ts';
import type { Kind } from '../../trace/exchange.ts';

/**
 * The decisions, in which requests that have an HTTP method, or are of a resource group, are named by what says better
 * where to look, if these are the same: the operation, if only one of the kind has the method or is of the group, or
 * else the group. A method or group of which a deviation of the other kind tells, too, stays: then it is about that.
 *
 * @param operations those of the profile
 */
export function namingOperations(
  kinds: readonly KindRuling[],
  operations: readonly OperationFacts[],
): readonly KindRuling[] {
  return kinds.map((kind) => {
    const others = kinds.filter((each) => each !== kind).flatMap(({ minimal }) => minimal);
    const elsewhere = others.flatMap(({ deviations }) => deviations.flatMap(namesIn));
    const own = operations.filter((each) => each.kind === kind.diagnosis.kind);
    const ofAny = (each: Deviation): Deviation =>
      namesIn(each).some((name) => elsewhere.includes(name))
        ? each
        : renamed(each, kind.diagnosis.kind, (named) => plainest(named, own));
    const said = (each: Explained): Explained => ({ ...each, deviations: each.deviations.map(ofAny) });
    return { ...kind, minimal: kind.minimal.map(said), ...(kind.likelier && { likelier: said(kind.likelier) }) };
  });
}

/** The same requests by operation or group; itself if it is about something else, or these are others. */
function plainest(named: RequestClass, operations: readonly OperationFacts[]): RequestClass {
  const { attribute, classes } = named;
  if (attribute !== 'method' && attribute !== 'group') return named;
  const ofEach = classes.map((name) => operations.filter((each) => each[attribute] === name));
  const meant = ofEach.flat();
  if (meant.length === 0) return named;
  if (ofEach.every(({ length }) => length === 1)) return { attribute: 'operation', classes: meant.map(({ id }) => id) };
  const [group, ...more] = new Set(meant.map((each) => each.group));
  const isWhole = operations.every((each) => meant.includes(each) || each.group !== group);
  return group !== undefined && more.length === 0 && isWhole ? { attribute: 'group', classes: [group] } : named;
}

/** The deviation with the requests that it is about named anew, wherever it names them and is about this kind. */
function renamed(deviation: Deviation, kind: Kind, name: (named: RequestClass) => RequestClass): Deviation {
  const { operator, parameters } = deviation;
  if ('kinds' in parameters && (parameters.kinds.length > 1 || parameters.kinds[0] !== kind)) return deviation;
  switch (operator) {
    case 'class-weight':
      return parameters.attribute === 'status'
        ? deviation
        : { ...deviation, operator, parameters: { ...parameters, ...name(parameters as RequestClass) } };
    case 'finer-scope': {
      const { attribute, blocks, exempt, others } = parameters;
      const anew = [...blocks, exempt].map((classes) => name({ attribute, classes }));
      const [first] = anew.filter(({ classes }) => classes.length > 0);
      const isOne = anew.every((each) => each.classes.length === 0 || each.attribute === first?.attribute);
      if (others !== 'together' || !first || !isOne) return deviation;
      const classes = anew.map((each) => each.classes);
      const scope = { attribute: first.attribute, blocks: classes.slice(0, -1), exempt: classes.at(-1) ?? [] };
      return { ...deviation, operator, parameters: { ...parameters, ...scope } };
    }
    case 'early-refusal': {
      const { reserve } = parameters;
      if (!reserve) return deviation;
      return { ...deviation, operator, parameters: { ...parameters, reserve: { ...reserve, of: name(reserve.of) } } };
    }
    case 'moved-end':
      return parameters.only
        ? { ...deviation, operator, parameters: { ...parameters, only: name(parameters.only) } }
        : deviation;
    case 'second-limit':
      return parameters.only
        ? { ...deviation, operator, parameters: { ...parameters, only: name(parameters.only) } }
        : deviation;
    default:
      return deviation;
  }
}

/** The HTTP methods and groups that a deviation names, with what they are. */
function namesIn({ operator, parameters }: Deviation): readonly string[] {
  const of = (attribute: string, classes: readonly string[]) => classes.map((name) => `${attribute} ${name}`);
  const ofClass = (named: RequestClass | null | undefined) => (named ? of(named.attribute, named.classes) : []);
  switch (operator) {
    case 'class-weight':
      return of(parameters.attribute, parameters.classes);
    case 'finer-scope':
      return of(parameters.attribute, [...parameters.blocks.flat(), ...parameters.exempt]);
    case 'early-refusal':
      return ofClass(parameters.reserve?.of);
    case 'moved-end':
    case 'second-limit':
      return ofClass(parameters.only);
    default:
      return [];
  }
}
