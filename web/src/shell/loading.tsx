import './loading.css';
import { shellStrings } from './strings.ts';

/** Appears after a delay, so that it does not flicker if the response is fast. */
export const Loading = () => (
  <div className="loading" role="status">
    <span className="sr">{shellStrings.loading}</span>
    <i />
    <i />
    <i />
  </div>
);
