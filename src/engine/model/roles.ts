/** Built-in records and models that the engine treats specially, by role. */
interface Roles {
  /** Model of users, which `create_uid` and `write_uid` refer to. */
  user: string;
  /** Model of companies, which most record rules use. */
  company: string;
  /** Model of currencies. Its field `rounding` determines how amounts are rounded. */
  currency: string;
  /** Model of files. Their content is stored in its own column. */
  attachment: string;
  /** External id of the group of administrators. */
  administrators: string;
}

let definedRoles: Roles | undefined;

/** Assigns the roles to the product's models and groups. */
export function defineRoles(roles: Roles): void {
  definedRoles = roles;
}

/** @throws Error before defineRoles was called */
export function getRole(role: keyof Roles): string {
  if (!definedRoles) throw new Error(`the role ${role} is not defined: defineRoles has not been called`);
  return definedRoles[role];
}
