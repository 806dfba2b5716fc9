import { Link } from '@tanstack/react-router';
import type { LogSubject } from './summary.ts';

/** Leads to the records that an entry of a log is about. */
export const SubjectLinks = ({ subject: { model, ids } }: { subject: LogSubject }) => (
  <span className="subject-links">
    <Link to="/records/$model" params={{ model }} search={{}}>
      {model}
    </Link>
    {ids.map((id) => (
      <Link key={id} to="/records/$model/$id" params={{ model, id }}>
        #{id}
      </Link>
    ))}
  </span>
);
