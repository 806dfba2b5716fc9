import type { AccessKind } from '../../src/engine/model/access-kind.ts';
import { builder } from '../../src/engine/operation/builder.ts';

export interface RuleExplanation {
  id: number;
  name: string;
  /** External ids. Empty if the rule applies to everyone. */
  groups: string[];
  /** The domain after substituting the caller's values. */
  domain: unknown;
  passes: number[];
  refuses: number[];
}

export interface Explanation {
  allowed: boolean;
  operation: AccessKind;
  model: string;
  rights: { id: number; name: string; group: string | null; grants: boolean }[];
  rules: RuleExplanation[];
  /** Requested ids that do not exist. `refused` contains the ids that the rules deny. */
  missing: number[];
  refused: number[];
  decided_by: { kind: 'right' | 'rule' | 'document'; ids: number[] };
  groups_that_would_help: string[];
  why: string;
}

export const RecordOperation = builder.enumType('RecordOperation', {
  description: 'An operation that access rights and record rules control.',
  values: {
    READ: { value: 'read', description: 'Reading records.' },
    CREATE: { value: 'create', description: 'Creating records.' },
    UPDATE: { value: 'write', description: 'Changing records.' },
    DELETE: { value: 'unlink', description: 'Deleting records.' },
  } as const satisfies Record<string, { value: AccessKind; description: string }>,
});

const AccessDecider = builder.enumType('AccessDecider', {
  description: 'Kind of rule that decides on an operation.',
  values: {
    RIGHT: { value: 'right', description: 'Access rights, or the lack of an access right.' },
    RULE: { value: 'rule', description: 'Record rules.' },
    DOCUMENT: { value: 'document', description: 'The record that the given records belong to.' },
  } as const,
});

const AccessRight = builder.objectRef<Explanation['rights'][number]>('ExplainedRight').implement({
  description: 'An access right for the operation on the model.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the access right.' }),
    name: t.exposeString('name', { description: 'Name of the access right.' }),
    group: t.exposeString('group', {
      nullable: true,
      description: "External id of the access right's group. Null if the access right applies to everyone.",
    }),
    grants: t.exposeBoolean('grants', { description: 'True if the user is in the group.' }),
  }),
});

const AccessRule = builder.objectRef<RuleExplanation>('ExplainedRule').implement({
  description: 'A record rule that applies to the user.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the record rule.' }),
    name: t.exposeString('name', { description: 'Name of the record rule.' }),
    groups: t.exposeStringList('groups', {
      description: "External ids of the rule's groups. Empty if the rule applies to everyone.",
    }),
    domain: t.expose('domain', {
      type: 'JSON',
      description: 'Domain of the rule, evaluated for the user.',
    }),
    passes: t.expose('passes', { type: ['ID'], description: 'Ids of the records that the rule allows.' }),
    refuses: t.expose('refuses', { type: ['ID'], description: 'Ids of the records that the rule hides.' }),
  }),
});

const AccessDecision = builder.objectRef<Explanation['decided_by']>('AccessDecision').implement({
  description: 'The rules that decided on the operation.',
  fields: (t) => ({
    kind: t.expose('kind', {
      type: AccessDecider,
      description: 'Kind of rule that decided on the operation.',
    }),
    ids: t.expose('ids', { type: ['ID'], description: 'Ids of the access rights or record rules.' }),
  }),
});

export const AccessExplanation = builder.objectRef<Explanation>('AccessExplanation').implement({
  description: 'Explanation of whether a user may perform an operation.',
  fields: (t) => ({
    allowed: t.exposeBoolean('allowed', {
      description: 'True if the operation is allowed on all existing records.',
    }),
    operation: t.expose('operation', { type: RecordOperation, description: 'Operation that was checked.' }),
    model: t.exposeString('model', { description: 'Technical name of the model.' }),
    rights: t.expose('rights', {
      type: [AccessRight],
      description: 'Access rights for the operation on the model.',
    }),
    rules: t.expose('rules', { type: [AccessRule], description: 'Record rules that apply to the user.' }),
    missing: t.expose('missing', {
      type: ['ID'],
      description: 'Ids of the given records that do not exist.',
    }),
    refused: t.expose('refused', {
      type: ['ID'],
      description: 'Ids of the given records that record rules hide.',
    }),
    decidedBy: t.expose('decided_by', {
      type: AccessDecision,
      description: 'The rules that decided on the operation.',
    }),
    groupsThatWouldHelp: t.exposeStringList('groups_that_would_help', {
      description: 'Groups that would allow the operation.',
    }),
    why: t.exposeString('why', { description: 'The explanation in one sentence.' }),
  }),
});
