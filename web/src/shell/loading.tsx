import './loading.css';
import { shellStrings } from './strings.ts';

/** Loading indicator. Appears after a delay, so that it does not flicker when a response is fast. */
export const Loading = () => (
  <p className="loading quiet" role="status">
    {shellStrings.loading}
  </p>
);
