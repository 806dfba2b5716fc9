import type { AccessKind } from '../../src/engine/model/model.ts';
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
  description: 'Whether a user may perform an operation, and why.',
  fields: (t) => ({
    operation: t.expose('operation', { type: RecordOperation, description: 'The operation.' }),
    allowed: t.exposeBoolean('allowed', {
      description:
        'Whether the user may perform it; on a model, whether there may be records it may perform it on.',
    }),
    isLimited: t.exposeBoolean('isLimited', {
      description: 'Whether record rules limit the records on which the user may perform it.',
    }),
    groups: t.exposeStringList('groups', {
      description: 'Names of the groups of the user whose access rights give it.',
    }),
    isForEverybody: t.exposeBoolean('isForEverybody', {
      description: 'Whether an access right gives it to all.',
    }),
    rules: t.exposeStringList('rules', {
      description: 'Names of the record rules that bind the user in it.',
    }),
    why: t.exposeString('why', { nullable: true, description: 'Why not; null if it is allowed.' }),
  }),
});

interface UserGrants {
  userId: number;
  login: string;
  name: string;
  grants: AccessGrant[];
}

const AccessUser = builder.objectRef<UserGrants>('AccessUser').implement({
  description: 'What a user may do.',
  fields: (t) => ({
    userId: t.exposeID('userId', { description: 'User id.' }),
    login: t.exposeString('login', { description: 'Login name.' }),
    name: t.exposeString('name', { description: 'Full name.' }),
    grants: t.expose('grants', { type: [Grant], description: 'Reading, creating, updating and deleting.' }),
  }),
});

interface ModelGrants {
  model: string;
  label: string;
  grants: AccessGrant[];
}

const AccessModel = builder.objectRef<ModelGrants>('AccessModel').implement({
  description: 'What may be done with the records of a model.',
  fields: (t) => ({
    model: t.exposeString('model', { description: 'Technical name of the model.' }),
    label: t.exposeString('label', { description: 'Label of the model.' }),
    grants: t.expose('grants', { type: [Grant], description: 'Reading, creating, updating and deleting.' }),
  }),
});

interface ModelOverview {
  model: string;
  recordId: number | null;
  users: UserGrants[];
  next: number | null;
}

export const ModelAccessOverview = builder.objectRef<ModelOverview>('ModelAccessOverview').implement({
  description: 'A page of what users may do with a model or a record.',
  fields: (t) => ({
    model: t.exposeString('model', { description: 'Technical name of the model.' }),
    recordId: t.exposeID('recordId', {
      nullable: true,
      description: 'The record; null for the model as a whole.',
    }),
    users: t.expose('users', { type: [AccessUser], description: 'Active users by their ids.' }),
    next: t.exposeID('next', { nullable: true, description: '`after` of the next page; null on the last.' }),
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
  description: 'A page of what a user may do.',
  fields: (t) => ({
    userId: t.exposeID('userId', { description: 'User id.' }),
    login: t.exposeString('login', { description: 'Login name.' }),
    name: t.exposeString('name', { description: 'Full name.' }),
    models: t.expose('models', { type: [AccessModel], description: 'Models by their names.' }),
    next: t.exposeID('next', { nullable: true, description: '`after` of the next page; null on the last.' }),
  }),
});
