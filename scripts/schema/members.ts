import {
  astFromValue,
  type ConstDirectiveNode,
  type GraphQLArgument,
  type GraphQLEnumValue,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isUnionType,
  print,
} from 'graphql';

/** A type, or one of its fields, arguments, values or members. */
export interface Member {
  owner: string;
  /** Schema coordinate, such as `Lead`, `Lead.fax` or `Lead.fax(country:)`. */
  coordinate: string;
  parent: string | null;
  label: string;
  type?: string;
  defaultValue?: string;
  deprecation?: string;
  /** Policy directives, which define who may use the member. */
  policy?: string;
  isRequired?: boolean;
  /** True if the member can appear in responses, so that clients may have to handle it. */
  isNewResult?: boolean;
}

export function collectMembers(schema: GraphQLSchema): Map<string, Member> {
  const types = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type));
  const results = new Set(types.flatMap(getResultTypes));
  const members = types.flatMap((type) => [
    { owner: type.name, coordinate: type.name, parent: null, label: type.name },
    ...collectTypeMembers(type, results.has(type)),
  ]);
  return new Map(members.map((member) => [member.coordinate, member]));
}

const getResultTypes = (type: GraphQLNamedType): GraphQLNamedType[] =>
  isObjectType(type) || isInterfaceType(type)
    ? Object.values(type.getFields()).map((field) => getNamedType(field.type))
    : [];

function collectTypeMembers(type: GraphQLNamedType, isResult: boolean): Member[] {
  if (isEnumType(type)) return type.getValues().map((value) => buildValueMember(type.name, value, isResult));
  if (isUnionType(type)) return type.getTypes().map((member) => buildUnionMember(type.name, member.name));
  if (isInputObjectType(type))
    return Object.values(type.getFields()).map((field) => buildInputMember(type.name, field));
  if (isObjectType(type) || isInterfaceType(type))
    return [
      ...type.getInterfaces().map((item) => buildInterfaceMember(type.name, item.name)),
      ...Object.values(type.getFields()).flatMap((field) => collectFieldMembers(type.name, field)),
    ];
  return [];
}

const buildValueMember = (owner: string, value: GraphQLEnumValue, isNewResult: boolean): Member => ({
  owner,
  coordinate: `${owner}.${value.name}`,
  parent: owner,
  label: value.name,
  deprecation: value.deprecationReason ?? undefined,
  isNewResult,
});

const buildUnionMember = (owner: string, name: string): Member => ({
  owner,
  coordinate: `${owner} | ${name}`,
  parent: owner,
  label: `| ${name}`,
  isNewResult: true,
});

const buildInterfaceMember = (owner: string, name: string): Member => ({
  owner,
  coordinate: `${owner} implements ${name}`,
  parent: owner,
  label: `implements ${name}`,
});

const buildInputMember = (owner: string, field: GraphQLInputField): Member => ({
  ...toInputMember(owner, field),
  coordinate: `${owner}.${field.name}`,
  parent: owner,
  isRequired: isRequiredInputField(field),
});

function collectFieldMembers(owner: string, field: GraphQLField<unknown, unknown>): Member[] {
  const coordinate = `${owner}.${field.name}`;
  const args = field.args.map((arg) => `${arg.name}: ${arg.type}`).join(', ');
  return [
    {
      owner,
      coordinate,
      parent: owner,
      label: `${field.name}${args && `(${args})`}: ${field.type}`,
      type: String(field.type),
      deprecation: field.deprecationReason ?? undefined,
      policy: formatPolicy(field.astNode?.directives ?? []),
    },
    ...field.args.map((arg) => ({
      ...toInputMember(owner, arg),
      coordinate: `${coordinate}(${arg.name}:)`,
      parent: coordinate,
      label: `${field.name}(${arg.name}: ${arg.type})`,
      isRequired: isRequiredArgument(arg),
    })),
  ];
}

const toInputMember = (owner: string, input: GraphQLArgument | GraphQLInputField) => ({
  owner,
  label: `${input.name}: ${input.type}`,
  type: String(input.type),
  defaultValue:
    input.defaultValue === undefined ? undefined : print(astFromValue(input.defaultValue, input.type)!),
  deprecation: input.deprecationReason ?? undefined,
});

/** Sorts arguments by name, as in a release file. */
const formatPolicy = (directives: readonly ConstDirectiveNode[]): string =>
  directives
    .filter(({ name }) => name.value !== 'deprecated')
    .map((directive) => print(directive))
    .sort()
    .join(' ');
