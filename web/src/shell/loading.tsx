import './loading.css';
import type { RequestFailure } from '../graphql/request-error.ts';
import { LoadError } from './screen.tsx';
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

/** Shown until a query has a result. Shows the error if the query failed. */
export const LoadStatus = ({ refusal, onAgain }: { refusal: RequestFailure | null; onAgain(): void }) =>
  refusal ? <LoadError refusal={refusal} onAgain={onAgain} /> : <Loading />;
