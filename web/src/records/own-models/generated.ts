// Written by web/codegen.ts from the *.graphql beside it.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
export type IrModelFieldsTtype =
  | 'BINARY'
  | 'BOOLEAN'
  | 'CHAR'
  | 'DATE'
  | 'DATETIME'
  | 'FLOAT'
  | 'HTML'
  | 'INTEGER'
  | 'JSON'
  | 'MANY2MANY'
  | 'MANY2ONE'
  | 'MANY2ONE_REFERENCE'
  | 'MONETARY'
  | 'ONE2MANY'
  | 'PROPERTIES'
  | 'PROPERTIES_DEFINITION'
  | 'REFERENCE'
  | 'SELECTION'
  | 'TEXT';

export type IrModelFieldsTranslate =
  | 'STANDARD'
  | 'HTML_TRANSLATE'
  | 'XML_TRANSLATE';

export type IrModelFieldsOnDelete =
  | 'CASCADE'
  | 'SET_NULL'
  | 'RESTRICT';

export type IrModelState =
  | 'MANUAL'
  | 'BASE';

export type UserNotificationType =
  | 'EMAIL'
  | 'INBOX';

export type UserRole =
  | 'GROUP_USER'
  | 'GROUP_SYSTEM';

export type AppState =
  | 'UNINSTALLED'
  | 'INSTALLED'
  | 'TO_REMOVE';

export type CompanyCreateInput = {
  name: string;
  partnerId?: string | null | undefined;
  currencyId?: string | null | undefined;
  parentId?: string | null | undefined;
  color?: number | null | undefined;
  primaryColor?: string | null | undefined;
  secondaryColor?: string | null | undefined;
  sequence?: number | null | undefined;
  active?: boolean | null | undefined;
  users?: UserLinksCreateInput | null | undefined;
  children?: CompanyChildrenListCreateInput | null | undefined;
};

export type UserLinksCreateInput = {
  connect?: Array<string> | null | undefined;
  create?: Array<UserCreateInput> | null | undefined;
};

export type UserCreateInput = {
  login: string;
  partnerId?: string | null | undefined;
  companyId?: string | null | undefined;
  active?: boolean | null | undefined;
  lang?: string | null | undefined;
  tz?: string | null | undefined;
  signature?: string | null | undefined;
  notificationType?: UserNotificationType | null | undefined;
  actionId?: string | null | undefined;
  groups?: GroupLinksCreateInput | null | undefined;
  companies?: CompanyLinksCreateInput | null | undefined;
  role?: UserRole | null | undefined;
  newPassword?: string | null | undefined;
  name?: string | null | undefined;
  email?: string | null | undefined;
  phone?: string | null | undefined;
};

export type GroupLinksCreateInput = {
  connect?: Array<string> | null | undefined;
  create?: Array<GroupCreateInput> | null | undefined;
};

export type GroupCreateInput = {
  name: string;
  comment?: string | null | undefined;
  share?: boolean | null | undefined;
  privilegeId?: string | null | undefined;
  sequence?: number | null | undefined;
  apiKeyDuration?: number | null | undefined;
  users?: UserLinksCreateInput | null | undefined;
  implieds?: GroupLinksCreateInput | null | undefined;
  impliedBy?: GroupLinksCreateInput | null | undefined;
  modelAccesses?: GroupModelAccessesListCreateInput | null | undefined;
  ruleGroups?: IrRuleLinksCreateInput | null | undefined;
};

export type GroupModelAccessesListCreateInput = {
  connect?: Array<string> | null | undefined;
  create?: Array<GroupModelAccessesListNewInput> | null | undefined;
};

export type GroupModelAccessesListNewInput = {
  name: string;
  active?: boolean | null | undefined;
  modelId: string;
  permRead?: boolean | null | undefined;
  permWrite?: boolean | null | undefined;
  permCreate?: boolean | null | undefined;
  permUnlink?: boolean | null | undefined;
};

export type IrRuleLinksCreateInput = {
  connect?: Array<string> | null | undefined;
  create?: Array<IrRuleCreateInput> | null | undefined;
};

export type IrRuleCreateInput = {
  name?: string | null | undefined;
  active?: boolean | null | undefined;
  modelId: string;
  domainForce?: string | null | undefined;
  permRead?: boolean | null | undefined;
  permWrite?: boolean | null | undefined;
  permCreate?: boolean | null | undefined;
  permUnlink?: boolean | null | undefined;
  groups?: GroupLinksCreateInput | null | undefined;
};

export type CompanyLinksCreateInput = {
  connect?: Array<string> | null | undefined;
  create?: Array<CompanyCreateInput> | null | undefined;
};

export type CompanyChildrenListCreateInput = {
  connect?: Array<string> | null | undefined;
  create?: Array<CompanyChildrenListNewInput> | null | undefined;
};

export type CompanyChildrenListNewInput = {
  name: string;
  partnerId?: string | null | undefined;
  currencyId?: string | null | undefined;
  color?: number | null | undefined;
  primaryColor?: string | null | undefined;
  secondaryColor?: string | null | undefined;
  sequence?: number | null | undefined;
  active?: boolean | null | undefined;
  users?: UserLinksCreateInput | null | undefined;
  children?: CompanyChildrenListCreateInput | null | undefined;
};

export type IrModelAccessUpdateInput = {
  name?: string | null | undefined;
  active?: boolean | null | undefined;
  modelId?: string | null | undefined;
  groupId?: string | null | undefined;
  permRead?: boolean | null | undefined;
  permWrite?: boolean | null | undefined;
  permCreate?: boolean | null | undefined;
  permUnlink?: boolean | null | undefined;
};

export type IrModelAccessCreateInput = {
  name: string;
  active?: boolean | null | undefined;
  modelId: string;
  groupId?: string | null | undefined;
  permRead?: boolean | null | undefined;
  permWrite?: boolean | null | undefined;
  permCreate?: boolean | null | undefined;
  permUnlink?: boolean | null | undefined;
};

export type IrModelFieldsCreateInput = {
  name?: string | null | undefined;
  modelId: string;
  fieldDescription?: string | null | undefined;
  help?: string | null | undefined;
  ttype: IrModelFieldsTtype;
  relation?: string | null | undefined;
  relationField?: string | null | undefined;
  relationTable?: string | null | undefined;
  column1?: string | null | undefined;
  column2?: string | null | undefined;
  currencyField?: string | null | undefined;
  required?: boolean | null | undefined;
  readonly?: boolean | null | undefined;
  index?: boolean | null | undefined;
  store?: boolean | null | undefined;
  copied?: boolean | null | undefined;
  translate?: IrModelFieldsTranslate | null | undefined;
  size?: number | null | undefined;
  onDelete?: IrModelFieldsOnDelete | null | undefined;
  domain?: string | null | undefined;
  selection?: string | null | undefined;
  related?: string | null | undefined;
  compute?: string | null | undefined;
  depends?: string | null | undefined;
  tracking?: number | null | undefined;
  selections?: IrModelFieldsSelectionsListCreateInput | null | undefined;
};

export type IrModelFieldsSelectionsListCreateInput = {
  create?: Array<IrModelFieldsSelectionsListNewInput> | null | undefined;
};

export type IrModelFieldsSelectionsListNewInput = {
  value: string;
  name: string;
  sequence?: number | null | undefined;
};

export type IrModelCreateInput = {
  name: string;
  model: string;
  info?: string | null | undefined;
  order?: string | null | undefined;
  transient?: boolean | null | undefined;
  abstract?: boolean | null | undefined;
  isMailThread?: boolean | null | undefined;
  isMailActivity?: boolean | null | undefined;
  fields?: IrModelFieldsListCreateInput | null | undefined;
  accesses?: IrModelAccessesListCreateInput | null | undefined;
  rules?: IrModelRulesListCreateInput | null | undefined;
};

export type IrModelFieldsListCreateInput = {
  create?: Array<IrModelFieldsListNewInput> | null | undefined;
};

export type IrModelFieldsListNewInput = {
  name?: string | null | undefined;
  fieldDescription?: string | null | undefined;
  help?: string | null | undefined;
  ttype: IrModelFieldsTtype;
  relation?: string | null | undefined;
  relationField?: string | null | undefined;
  relationTable?: string | null | undefined;
  column1?: string | null | undefined;
  column2?: string | null | undefined;
  currencyField?: string | null | undefined;
  required?: boolean | null | undefined;
  readonly?: boolean | null | undefined;
  index?: boolean | null | undefined;
  store?: boolean | null | undefined;
  copied?: boolean | null | undefined;
  translate?: IrModelFieldsTranslate | null | undefined;
  size?: number | null | undefined;
  onDelete?: IrModelFieldsOnDelete | null | undefined;
  domain?: string | null | undefined;
  selection?: string | null | undefined;
  related?: string | null | undefined;
  compute?: string | null | undefined;
  depends?: string | null | undefined;
  tracking?: number | null | undefined;
  selections?: IrModelFieldsSelectionsListCreateInput | null | undefined;
};

export type IrModelAccessesListCreateInput = {
  create?: Array<IrModelAccessesListNewInput> | null | undefined;
};

export type IrModelAccessesListNewInput = {
  name: string;
  active?: boolean | null | undefined;
  groupId?: string | null | undefined;
  permRead?: boolean | null | undefined;
  permWrite?: boolean | null | undefined;
  permCreate?: boolean | null | undefined;
  permUnlink?: boolean | null | undefined;
};

export type IrModelRulesListCreateInput = {
  create?: Array<IrModelRulesListNewInput> | null | undefined;
};

export type IrModelRulesListNewInput = {
  name?: string | null | undefined;
  active?: boolean | null | undefined;
  domainForce?: string | null | undefined;
  permRead?: boolean | null | undefined;
  permWrite?: boolean | null | undefined;
  permCreate?: boolean | null | undefined;
  permUnlink?: boolean | null | undefined;
  groups?: GroupLinksCreateInput | null | undefined;
};

export type OwnModelsQueryVariables = Exact<{ [key: string]: never; }>;


export type OwnModelsQuery = { irModels: { nodes: Array<{ id: string, model: string, name: string, count: number }> } };

export type OwnModelQueryVariables = Exact<{
  model: string;
}>;


export type OwnModelQuery = { irModels: { nodes: Array<{ id: string, model: string, name: string, state: IrModelState, fields: { nodes: Array<{ id: string, name: string, fieldDescription: string, ttype: IrModelFieldsTtype, relation: string | null, required: boolean, help: string | null, selections: { nodes: Array<{ id: string, name: string }> } }> }, accesses: { nodes: Array<{ id: string, permRead: boolean, permWrite: boolean, permCreate: boolean, permUnlink: boolean, group: { id: string, displayName: string } | null }> } }> } };

export type OwnModelChoicesQueryVariables = Exact<{
  lang: string;
}>;


export type OwnModelChoicesQuery = { models: Array<{ model: string, name: string, module: string | null }>, apps: Array<{ name: string, label: string, state: AppState }>, groups: { nodes: Array<{ id: string, displayName: string, externalId: string | null }> } };

export type OwnModelCreateMutationVariables = Exact<{
  input: IrModelCreateInput;
}>;


export type OwnModelCreateMutation = { irModelCreate: { id: string, model: string } };

export type OwnModelDeleteMutationVariables = Exact<{
  id: string;
}>;


export type OwnModelDeleteMutation = { irModelDelete: { ids: Array<string> } };

export type OwnFieldsCreateMutationVariables = Exact<{
  inputs: Array<IrModelFieldsCreateInput> | IrModelFieldsCreateInput;
}>;


export type OwnFieldsCreateMutation = { irModelFieldsListCreate: Array<{ id: string }> };

export type OwnFieldDeleteMutationVariables = Exact<{
  id: string;
}>;


export type OwnFieldDeleteMutation = { irModelFieldsDelete: { ids: Array<string> } };

export type OwnRightCreateMutationVariables = Exact<{
  input: IrModelAccessCreateInput;
}>;


export type OwnRightCreateMutation = { irModelAccessCreate: { id: string } };

export type OwnRightUpdateMutationVariables = Exact<{
  id: string;
  input: IrModelAccessUpdateInput;
}>;


export type OwnRightUpdateMutation = { irModelAccessUpdate: { id: string, permRead: boolean, permWrite: boolean, permCreate: boolean, permUnlink: boolean } };

export type OwnRightDeleteMutationVariables = Exact<{
  id: string;
}>;


export type OwnRightDeleteMutation = { irModelAccessDelete: { ids: Array<string> } };


export const OwnModelsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OwnModels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"irModels"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"500"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"state"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"EnumValue","value":"MANUAL"}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"count"}}]}}]}}]}}]} as unknown as DocumentNode<OwnModelsQuery, OwnModelsQueryVariables>;
export const OwnModelDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OwnModel"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"model"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"irModels"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"model"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"Variable","name":{"kind":"Name","value":"model"}}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"fields"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"500"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"state"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"EnumValue","value":"MANUAL"}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"fieldDescription"}},{"kind":"Field","name":{"kind":"Name","value":"ttype"}},{"kind":"Field","name":{"kind":"Name","value":"relation"}},{"kind":"Field","name":{"kind":"Name","value":"required"}},{"kind":"Field","name":{"kind":"Name","value":"help"}},{"kind":"Field","name":{"kind":"Name","value":"selections"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"accesses"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"permRead"}},{"kind":"Field","name":{"kind":"Name","value":"permWrite"}},{"kind":"Field","name":{"kind":"Name","value":"permCreate"}},{"kind":"Field","name":{"kind":"Name","value":"permUnlink"}},{"kind":"Field","name":{"kind":"Name","value":"group"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<OwnModelQuery, OwnModelQueryVariables>;
export const OwnModelChoicesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OwnModelChoices"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"lang"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"models"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"limit"},"value":{"kind":"IntValue","value":"1000"}},{"kind":"Argument","name":{"kind":"Name","value":"lang"},"value":{"kind":"Variable","name":{"kind":"Name","value":"lang"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"module"}}]}},{"kind":"Field","name":{"kind":"Name","value":"apps"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"lang"},"value":{"kind":"Variable","name":{"kind":"Name","value":"lang"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"state"}}]}},{"kind":"Field","name":{"kind":"Name","value":"groups"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"500"}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"share"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"eq"},"value":{"kind":"BooleanValue","value":false}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"externalId"}}]}}]}}]}}]} as unknown as DocumentNode<OwnModelChoicesQuery, OwnModelChoicesQueryVariables>;
export const OwnModelCreateDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"OwnModelCreate"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"IrModelCreateInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"irModelCreate"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"model"}}]}}]}}]} as unknown as DocumentNode<OwnModelCreateMutation, OwnModelCreateMutationVariables>;
export const OwnModelDeleteDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"OwnModelDelete"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"irModelDelete"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"ids"}}]}}]}}]} as unknown as DocumentNode<OwnModelDeleteMutation, OwnModelDeleteMutationVariables>;
export const OwnFieldsCreateDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"OwnFieldsCreate"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"inputs"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"IrModelFieldsCreateInput"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"irModelFieldsListCreate"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"inputs"},"value":{"kind":"Variable","name":{"kind":"Name","value":"inputs"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]} as unknown as DocumentNode<OwnFieldsCreateMutation, OwnFieldsCreateMutationVariables>;
export const OwnFieldDeleteDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"OwnFieldDelete"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"irModelFieldsDelete"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"ids"}}]}}]}}]} as unknown as DocumentNode<OwnFieldDeleteMutation, OwnFieldDeleteMutationVariables>;
export const OwnRightCreateDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"OwnRightCreate"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"IrModelAccessCreateInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"irModelAccessCreate"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]} as unknown as DocumentNode<OwnRightCreateMutation, OwnRightCreateMutationVariables>;
export const OwnRightUpdateDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"OwnRightUpdate"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"IrModelAccessUpdateInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"irModelAccessUpdate"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"permRead"}},{"kind":"Field","name":{"kind":"Name","value":"permWrite"}},{"kind":"Field","name":{"kind":"Name","value":"permCreate"}},{"kind":"Field","name":{"kind":"Name","value":"permUnlink"}}]}}]}}]} as unknown as DocumentNode<OwnRightUpdateMutation, OwnRightUpdateMutationVariables>;
export const OwnRightDeleteDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"OwnRightDelete"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"irModelAccessDelete"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"ids"}}]}}]}}]} as unknown as DocumentNode<OwnRightDeleteMutation, OwnRightDeleteMutationVariables>;