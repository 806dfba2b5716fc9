/**
 * The workspace a claim served last, of what it gave; as `before` when that is nothing: who begins with the first
 * workspace each time serves no other. Pure.
 */
export const lastServed = (before: number, claimed: { workspace_id: number }[]): number =>
  claimed.length > 0 ? Math.max(...claimed.map((each) => each.workspace_id)) : before;
