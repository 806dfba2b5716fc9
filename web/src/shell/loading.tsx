import './loading.css';
import { shellStrings } from './strings.ts';

/** Placeholder of content. Appears after a delay, so that it does not flicker when a response is fast. */
export const Loading = () => (
  <div className="loading" role="status">
    <span className="sr">{shellStrings.loading}</span>
    <i />
    <i />
    <i />
  </div>
);
