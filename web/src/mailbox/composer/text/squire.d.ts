declare module 'virtual:squire' {
  import type Squire from 'squire-rte';
  export const squireOf: (window: Window) => typeof Squire;
}
