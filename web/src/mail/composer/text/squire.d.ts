declare module 'virtual:squire' {
  import type Squire from 'squire-rte';
  /** The editor as it works in a window. */
  export const squireOf: (window: Window) => typeof Squire;
}
