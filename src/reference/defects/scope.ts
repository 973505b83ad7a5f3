import { type Attribute, CHANGED } from '../../deployment/attribute.ts';
import { WINDOW } from '../../deployment/deployment.ts';
import type { FinerScope } from '../../deployment/deviations/finer-scope.ts';
import type { Deviation } from '../../deployment/operators.ts';
import type { Kind } from '../../trace/exchange.ts';
import { type Defect, deviating, deviation } from './defect.ts';

/** Each class of an attribute has its own budget, unless `but` says otherwise. */
function apart(attribute: Attribute, but: Partial<FinerScope> = {}): Deviation {
  const usual = { blocks: [], exempt: [], others: 'apart', exemptHeaders: 'of the others' } as const;
  return deviation('finer-scope', { attribute, ...usual, ...but });
}

function shared(...blocks: readonly (readonly string[])[]): Deviation {
  return deviation('shared-keys', { blocks });
}

const ALL = Array.from({ length: 16 }, (_, index) => `key-${index + 1}`);
/** One budget for requests that differ from a plain request in this attribute, and one for all others. */
const changedApart = (attribute: Attribute): Deviation => apart(attribute, { blocks: [[CHANGED]], others: 'together' });
const leftOut = (attribute: Attribute, name: string): Deviation =>
  apart(attribute, { exempt: [name], others: 'together' });

/** A further limit on some requests, which no header states. */
const besides = (attribute: Attribute, name: string, kind: Kind, limit: number): Deviation => {
  return deviation('second-limit', { kinds: [kind], only: { attribute, classes: [name] }, limit, window: WINDOW });
};

/** Budgets that do not belong to one key and one kind. */
export const SCOPE_DEFECTS: readonly Defect[] = [
  deviating('per-route', 52, apart('operation')),
  deviating('per-group', 52, apart('group')),
  deviating('per-method', 52, apart('method')),
  deviating('labels-apart', null, apart('group', { blocks: [['labels']], others: 'together' })),
  deviating('labels-not-limited', null, leftOut('group', 'labels')),
  deviating('operation-not-limited', null, leftOut('operation', 'list-categories')),
  deviating('per-path', null, apart('path')),
  deviating('search-not-limited', null, leftOut('method', 'POST')),
  deviating('sublimit-of-an-operation', null, besides('operation', 'list-labels', 'read', 40)),
  deviating('sublimit-of-labels', null, besides('group', 'labels', 'read', 40)),
  deviating('sublimit-of-updates', null, besides('method', 'PUT', 'write', 12)),
  deviating('sublimit-by-header', null, besides('credential', 'bearer', 'read', 40)),
  deviating('one-for-all', 53, shared([...ALL, 'restricted']), {
    diagnosis: 'shared budget',
    description: 'all keys draw on one budget',
  }),
  deviating('per-address', 53, shared([...ALL, 'restricted']), {
    diagnosis: 'shared budget',
    description: 'the budget is that of the client’s address',
  }),
  deviating('keys-in-pairs', null, shared(ALL.slice(0, 2), ALL.slice(2, 4)), { diagnosis: 'shared budget' }),
  deviating(
    'shared-kinds',
    6,
    { operator: 'shared-kinds', parameters: { how: 'one count' } },
    { diagnosis: 'shared budget' },
  ),
  deviating('writes-cost-reads', null, { operator: 'shared-kinds', parameters: { how: 'writes count as reads too' } }),
  deviating('operation-of-other-kind', null, {
    operator: 'charged-as-other-kind',
    parameters: { kind: 'write', operations: ['create-category'] },
  }),
  deviating('forwarded-for', 54, changedApart('forwarded-for')),
  deviating('forwarded', 54, changedApart('forwarded')),
  deviating('path-case', 55, changedApart('path-case')),
  deviating('trailing-slash', 55, changedApart('trailing-slash')),
  deviating('query-string', 55, apart('query-string')),
  deviating('spaces-around-key', 56, changedApart('key-spaces')),
  deviating('both-headers-apart', null, changedApart('both-headers')),
  deviating('scheme-case-apart', null, changedApart('scheme-case')),
  deviating('per-connection', 57, apart('connection')),
  deviating('per-user-agent', null, changedApart('user-agent')),
  deviating('real-ip', null, changedApart('real-ip')),
  deviating('per-header', 58, apart('credential')),
  deviating('anonymous-charged', 59, { operator: 'anonymous-charged', parameters: { which: 'no key', to: 'key-1' } }),
  deviating('bad-keys-charged', 59, { operator: 'anonymous-charged', parameters: { which: 'bad key', to: 'key-1' } }),
  deviating('last-key-charged', null, {
    operator: 'anonymous-charged',
    parameters: { which: 'both', to: { chosen: 'last used' } },
  }),
  deviating('resembling-keys-charged', null, {
    operator: 'anonymous-charged',
    parameters: { which: 'bad key', to: { chosen: 'resembling' } },
  }),
];
