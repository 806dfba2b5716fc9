import { defineTypedShape, type ValueOf } from '../../src/engine/operation/shape.ts';
import { RecordOperation } from './explain-types.ts';

const Grant = defineTypedShape('AccessGrant', "A user's access to an operation, and the reason for it.", {
  operation: { type: RecordOperation, description: 'The operation.' },
  allowed: {
    type: 'Boolean',
    description:
      'True if the user may perform the operation. For a model as a whole, record rules can still deny it ' +
      'for individual records.',
  },
  isLimited: { type: 'Boolean', description: 'True if record rules limit the affected records.' },
  groups: {
    type: ['String'],
    description: "Names of the user's groups whose access rights grant the operation.",
  },
  isForEverybody: {
    type: 'Boolean',
    description: 'True if an access right grants the operation to everyone.',
  },
  rules: { type: ['String'], description: 'Names of the record rules that apply to the operation.' },
  why: {
    type: 'String',
    nullable: true,
    description: 'Reason for the denial. Null if the operation is allowed.',
  },
});

export type AccessGrant = ValueOf<typeof Grant>;

const AccessUser = defineTypedShape('AccessUser', "A user's access to a model or a record.", {
  userId: { type: 'ID', description: 'User id.' },
  login: { type: 'String', description: 'Login name.' },
  name: { type: 'String', description: 'Full name.' },
  grants: { type: [Grant], description: 'Access for reading, creating, updating and deleting records.' },
});

const AccessModel = defineTypedShape('AccessModel', "Access to a model's records.", {
  model: { type: 'String', description: 'Technical name of the model.' },
  label: { type: 'String', description: 'Label of the model.' },
  grants: { type: [Grant], description: 'Access for reading, creating, updating and deleting records.' },
});

export const ModelAccessOverview = defineTypedShape(
  'ModelAccessOverview',
  'A page of users with their access to a model or a record.',
  {
    model: { type: 'String', description: 'Technical name of the model.' },
    recordId: { type: 'ID', nullable: true, description: 'Id of the record. Null for the model as a whole.' },
    users: { type: [AccessUser], description: 'Active users, sorted by id.' },
    next: {
      type: 'ID',
      nullable: true,
      description: 'Value of `after` for the next page. Null on the last page.',
    },
  },
);

export const UserAccessOverview = defineTypedShape(
  'UserAccessOverview',
  "A page of models with a user's access.",
  {
    userId: { type: 'ID', description: 'User id.' },
    login: { type: 'String', description: 'Login name.' },
    name: { type: 'String', description: 'Full name.' },
    models: { type: [AccessModel], description: 'Models, sorted by name.' },
    next: {
      type: 'ID',
      nullable: true,
      description: 'Value of `after` for the next page. Null on the last page.',
    },
  },
);
