import type { AccessKind } from '../../src/engine/model/access-kind.ts';
import { builder } from '../../src/engine/operation/builder.ts';
import { defineEnumShape, defineTypedShape, type ValueOf } from '../../src/engine/operation/shape.ts';

export const RecordOperation = defineEnumShape<AccessKind>(
  'RecordOperation',
  'An operation that access rights and record rules control.',
  {
    read: 'Reading records.',
    create: 'Creating records.',
    write: 'Changing records.',
    unlink: 'Deleting records.',
  },
  { names: { write: 'UPDATE', unlink: 'DELETE' } },
);

const AccessDecider = defineEnumShape('AccessDecider', 'Kind of rule that decides on an operation.', {
  right: 'Access rights, or the lack of an access right.',
  rule: 'Record rules.',
  document: 'The record that the given records belong to.',
});

const AccessRight = defineTypedShape('ExplainedRight', 'An access right for the operation on the model.', {
  id: { type: 'ID', description: 'Id of the access right.' },
  name: { type: 'String', description: 'Name of the access right.' },
  group: {
    type: 'String',
    nullable: true,
    description: "External id of the access right's group. Null if the access right applies to everyone.",
  },
  grants: { type: 'Boolean', description: 'True if the user is in the group.' },
});

const AccessRule = defineTypedShape('ExplainedRule', 'A record rule that applies to the user.', {
  id: { type: 'ID', description: 'Id of the record rule.' },
  name: { type: 'String', description: 'Name of the record rule.' },
  groups: {
    type: ['String'],
    description: "External ids of the rule's groups. Empty if the rule applies to everyone.",
  },
  domain: { type: 'JSON', description: 'Domain of the rule, evaluated for the user.' },
  passes: { type: ['ID'], description: 'Ids of the records that the rule allows.' },
  refuses: { type: ['ID'], description: 'Ids of the records that the rule hides.' },
});

const AccessDecision = defineTypedShape('AccessDecision', 'The rules that decided on the operation.', {
  kind: { type: AccessDecider, description: 'Kind of rule that decided on the operation.' },
  ids: { type: ['ID'], description: 'Ids of the access rights or record rules.' },
});

export type RuleExplanation = ValueOf<typeof AccessRule, number>;

export interface Explanation {
  allowed: boolean;
  operation: AccessKind;
  model: string;
  rights: ValueOf<typeof AccessRight, number>[];
  rules: RuleExplanation[];
  /** Requested ids that do not exist. `refused` contains the ids that the rules deny. */
  missing: number[];
  refused: number[];
  decided_by: ValueOf<typeof AccessDecision, number>;
  groups_that_would_help: string[];
  why: string;
}

export const AccessExplanation = builder.objectRef<Explanation>('AccessExplanation').implement({
  description: 'Explanation of whether a user may perform an operation.',
  fields: (t) => ({
    allowed: t.exposeBoolean('allowed', {
      description: 'True if the operation is allowed on all existing records.',
    }),
    operation: t.expose('operation', {
      type: RecordOperation.ref,
      description: 'Operation that was checked.',
    }),
    model: t.exposeString('model', { description: 'Technical name of the model.' }),
    rights: t.expose('rights', {
      type: [AccessRight.ref],
      description: 'Access rights for the operation on the model.',
    }),
    rules: t.expose('rules', { type: [AccessRule.ref], description: 'Record rules that apply to the user.' }),
    missing: t.expose('missing', {
      type: ['ID'],
      description: 'Ids of the given records that do not exist.',
    }),
    refused: t.expose('refused', {
      type: ['ID'],
      description: 'Ids of the given records that record rules hide.',
    }),
    decidedBy: t.expose('decided_by', {
      type: AccessDecision.ref,
      description: 'The rules that decided on the operation.',
    }),
    groupsThatWouldHelp: t.exposeStringList('groups_that_would_help', {
      description: 'Groups that would allow the operation.',
    }),
    why: t.exposeString('why', { description: 'The explanation in one sentence.' }),
  }),
});
