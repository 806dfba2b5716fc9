/** Kinds of actions that a workspace can hold. */
export type ActionKind = 'sends' | 'deletes' | 'modules';

/** What a call would do, as far as it is counted and held for it. */
export interface Effects {
  kind: ActionKind | null;
  /** It may send mail as well. */
  sends?: boolean;
  /** Records. */
  changes: number;
}
