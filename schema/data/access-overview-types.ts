import type { AccessKind } from '../../src/engine/model/access-kind.ts';
import { builder } from '../../src/engine/operation/builder.ts';
import { RecordOperation } from './explain-types.ts';

export interface AccessGrant {
  operation: AccessKind;
  allowed: boolean;
  isLimited: boolean;
  groups: string[];
  isForEverybody: boolean;
  rules: string[];
  why: string | null;
}

const Grant = builder.objectRef<AccessGrant>('AccessGrant').implement({
  description: "A user's access to an operation, and the reason for it.",
  fields: (t) => ({
    operation: t.expose('operation', { type: RecordOperation, description: 'The operation.' }),
    allowed: t.exposeBoolean('allowed', {
      description:
        'True if the user may perform the operation. For a model as a whole, record rules can still deny it ' +
        'for individual records.',
    }),
    isLimited: t.exposeBoolean('isLimited', {
      description: 'True if record rules limit the affected records.',
    }),
    groups: t.exposeStringList('groups', {
      description: "Names of the user's groups whose access rights grant the operation.",
    }),
    isForEverybody: t.exposeBoolean('isForEverybody', {
      description: 'True if an access right grants the operation to everyone.',
    }),
    rules: t.exposeStringList('rules', {
      description: 'Names of the record rules that apply to the operation.',
    }),
    why: t.exposeString('why', {
      nullable: true,
      description: 'Reason for the denial. Null if the operation is allowed.',
    }),
  }),
});

interface UserGrants {
  userId: number;
  login: string;
  name: string;
  grants: AccessGrant[];
}

const AccessUser = builder.objectRef<UserGrants>('AccessUser').implement({
  description: "A user's access to a model or a record.",
  fields: (t) => ({
    userId: t.exposeID('userId', { description: 'User id.' }),
    login: t.exposeString('login', { description: 'Login name.' }),
    name: t.exposeString('name', { description: 'Full name.' }),
    grants: t.expose('grants', {
      type: [Grant],
      description: 'Access for reading, creating, updating and deleting records.',
    }),
  }),
});

interface ModelGrants {
  model: string;
  label: string;
  grants: AccessGrant[];
}

const AccessModel = builder.objectRef<ModelGrants>('AccessModel').implement({
  description: "Access to a model's records.",
  fields: (t) => ({
    model: t.exposeString('model', { description: 'Technical name of the model.' }),
    label: t.exposeString('label', { description: 'Label of the model.' }),
    grants: t.expose('grants', {
      type: [Grant],
      description: 'Access for reading, creating, updating and deleting records.',
    }),
  }),
});

interface ModelOverview {
  model: string;
  recordId: number | null;
  users: UserGrants[];
  next: number | null;
}

export const ModelAccessOverview = builder.objectRef<ModelOverview>('ModelAccessOverview').implement({
  description: 'A page of users with their access to a model or a record.',
  fields: (t) => ({
    model: t.exposeString('model', { description: 'Technical name of the model.' }),
    recordId: t.exposeID('recordId', {
      nullable: true,
      description: 'Id of the record. Null for the model as a whole.',
    }),
    users: t.expose('users', { type: [AccessUser], description: 'Active users, sorted by id.' }),
    next: t.exposeID('next', {
      nullable: true,
      description: 'Value of `after` for the next page. Null on the last page.',
    }),
  }),
});

interface UserOverview {
  userId: number;
  login: string;
  name: string;
  models: ModelGrants[];
  next: string | null;
}

export const UserAccessOverview = builder.objectRef<UserOverview>('UserAccessOverview').implement({
  description: "A page of models with a user's access.",
  fields: (t) => ({
    userId: t.exposeID('userId', { description: 'User id.' }),
    login: t.exposeString('login', { description: 'Login name.' }),
    name: t.exposeString('name', { description: 'Full name.' }),
    models: t.expose('models', { type: [AccessModel], description: 'Models, sorted by name.' }),
    next: t.exposeID('next', {
      nullable: true,
      description: 'Value of `after` for the next page. Null on the last page.',
    }),
  }),
});
