import './view-choice.css';
import { Link } from '@tanstack/react-router';
import type { Described } from './model.ts';
import { viewWords } from './view-words.ts';
import { type OtherView, viewsOf } from './views.ts';

interface ViewChoiceProps {
  model: Described;
  /** Undefined for the list. */
  view: OtherView | undefined;
}

/** The ways to look at records of a model; conditions stay. */
export function ViewChoice({ model, view }: ViewChoiceProps) {
  const others = viewsOf(model);
  if (others.length === 0) return null;
  return (
    <nav className="view-choice" aria-label={viewWords.views}>
      {[undefined, ...others].map((each) => (
        <Link
          key={each ?? 'list'}
          to="/records/$model"
          params={{ model: model.name }}
          search={(old) => ({ ...old, view: each })}
          activeOptions={{ explicitUndefined: true }}
          aria-current={each === view ? 'page' : undefined}
        >
          {viewWords[each ?? 'list']}
        </Link>
      ))}
    </nav>
  );
}
