/** Records and models of the product that the engine treats specially, by what they are to it. */
export interface Roles {
  /** Model of the users, to which `create_uid` and `write_uid` lead. */
  user: string;
  /** Model of the companies, which most record rules ask about. */
  company: string;
  /** Model of the currencies; its field `rounding` says how amounts are rounded. */
  currency: string;
  /** Model whose records are files: its content is a column of its own. */
  attachment: string;
  /** External id of the group whose members are administrators. */
  administrators: string;
}

let definedRoles: Roles | undefined;

/** Says which models and groups of the product play these roles. */
export function defineRoles(roles: Roles): void {
  definedRoles = roles;
}

/** @throws Error before defineRoles has been called */
export function getRole(role: keyof Roles): string {
  if (!definedRoles) throw new Error(`nothing plays the role ${role}: defineRoles has not been called`);
  return definedRoles[role];
}
