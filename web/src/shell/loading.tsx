import './loading.css';
import { shellStrings } from './strings.ts';

/** In place of what is on its way. It shows after a moment, so that a quick answer does not flicker. */
export const Loading = () => (
  <p className="loading quiet" role="status">
    {shellStrings.loading}
  </p>
);
