import './view-choice.css';
import { Link } from '@tanstack/react-router';
import type { ModelDescription } from './model.ts';
import { viewStrings } from './view-strings.ts';
import { getViewKinds, type ViewKind } from './views.ts';

interface ViewChoiceProps {
  model: ModelDescription;
  /** Undefined for the list. */
  view: ViewKind | undefined;
}

/** Switches between a model's views. Filters are preserved. */
export function ViewChoice({ model, view }: ViewChoiceProps) {
  // A saved or linked view can be of a kind that the model does not offer.
  const others = new Set([...getViewKinds(model), ...(view ? [view] : [])]);
  if (others.size === 0) return null;
  return (
    <nav className="view-choice" aria-label={viewStrings.views}>
      {[undefined, ...others].map((other) => (
        <Link
          key={other ?? 'list'}
          to="/records/$model"
          params={{ model: model.name }}
          search={(old) => ({ ...old, view: other })}
          activeOptions={{ explicitUndefined: true }}
          aria-current={other === view ? 'page' : undefined}
        >
          {viewStrings[other ?? 'list']}
        </Link>
      ))}
    </nav>
  );
}
