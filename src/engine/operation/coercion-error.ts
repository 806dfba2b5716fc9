/**
 * Rewords a graphql-js error about a variable for callers of other protocols, which have neither variables nor GraphQL
 * types.
 * @param getName returns the caller's name for an argument
 */
export function describeCoercionError(message: string, getName: (argument: string) => string): string {
  const [, argument, path, problem] = INVALID_VALUE.exec(message) ?? OTHER_PROBLEM.exec(message) ?? [];
  if (argument === undefined) return message;
  return describeProblem(getName(argument) + (path?.slice(argument.length) ?? ''), problem!);
}

/** Searches for the beginning of a known problem, because the printed value can contain any text. */
const INVALID_VALUE = new RegExp(
  '^Variable "\\$(\\w+)" got invalid value .*?(?: at "([^"]*)")?; ' +
    '((?:Field "|Expected |Value "|Enum "|\\w+ cannot represent ).*)$',
  's',
);

const OTHER_PROBLEM = /^Variable "\$(\w+)" (?:got invalid value .*?(?: at "([^"]*)")?; )?(.*)$/s;

function describeProblem(argument: string, problem: string): string {
  const [, unknown] = /^Field "(\w+)" is not defined by type/.exec(problem) ?? [];
  if (unknown) return `Unknown argument '${argument}.${unknown}'.`;
  const [, absent] = /^Field "(?:\w+\.)?(\w+)" of required type .* was not provided/s.exec(problem) ?? [];
  if (absent) return `The argument '${argument}.${absent}' is required.`;
  if (/^of required type .* was not provided/s.test(problem))
    return `The argument '${argument}' is required.`;
  if (/^of non-null type|^Expected non-nullable type/.test(problem))
    return `The argument '${argument}' must not be null.`;
  if (/^Expected type ".*" to be an object/s.test(problem))
    return `The argument '${argument}' must be an object.`;
  const [, scalar] = /^(Int|Float|String|Boolean|ID) cannot represent/.exec(problem) ?? [];
  if (scalar) return `The argument '${argument}' must be ${EXPECTATIONS[scalar]}.`;
  const [, value] =
    /^(?:Value|Enum "\w+" cannot represent non-string value:) ("[^"]*"|\S+?)(?=[.\s]|$)/.exec(problem) ?? [];
  if (value) return `The argument '${argument}' does not allow ${value}.`;
  return `The argument '${argument}' is invalid: ${problem}`;
}

const EXPECTATIONS: Record<string, string> = {
  Int: 'an integer of at most 32 bits',
  Float: 'a number',
  String: 'a string',
  Boolean: 'true or false',
  ID: 'an id',
};
