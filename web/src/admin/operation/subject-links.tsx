import './subject-links.css';
import { Link } from '@tanstack/react-router';
import type { LogSubject } from './summary.ts';

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
