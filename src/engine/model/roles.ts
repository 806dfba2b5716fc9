/** Models and groups that the engine treats specially. */
interface Roles {
  /** Referenced by `create_uid` and `write_uid`. */
  user: string;
  /** Used by most record rules. */
  company: string;
  /** Its field `rounding` determines how amounts are rounded. */
  currency: string;
  /** File content is stored in a separate column. */
  attachment: string;
  /** External id of the group of administrators. */
  administrators: string;
}

let definedRoles: Roles | undefined;

export function defineRoles(roles: Roles): void {
  definedRoles = roles;
}

/** @throws Error if defineRoles has not been called */
export function getRole(role: keyof Roles): string {
  if (!definedRoles) throw new Error(`the role ${role} is not defined: defineRoles has not been called`);
  return definedRoles[role];
}
