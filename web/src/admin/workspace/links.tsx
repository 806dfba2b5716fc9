import { type ReactNode, useState } from 'react';
import { useAction } from '../../shell/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/form/field.tsx';
import { adminStrings } from './strings.ts';

interface LinkTarget {
  id: string;
  name: string;
}

/** Returns groups as link targets. */
export const toLinkTargets = (
  groups: readonly { id: string; fullName: string | null }[] | undefined,
): LinkTarget[] => (groups ?? []).map(({ id, fullName }) => ({ id, name: fullName ?? id }));

interface LinksProps {
  label: string;
  links: readonly LinkTarget[];
  choices: readonly LinkTarget[];
  add: string;
  none: string;
  /** Renders a link. By default, shows its name. */
  show?(link: LinkTarget): ReactNode;
  /** Adds or removes a single link, so that concurrent changes to other links are preserved. */
  onChange(change: { connect?: string[]; disconnect?: string[] }): Promise<unknown>;
}

export function Links({ label, links, choices, add, none, show, onChange }: LinksProps) {
  const [selected, setSelected] = useState('');
  const { isBusy, act } = useAction();
  const available = choices.filter(({ id }) => !links.some((link) => link.id === id));
  const addSelected = () =>
    act(async () => {
      await onChange({ connect: [selected] });
      setSelected('');
    });
  return (
    <div className="admin-links">
      {links.length === 0 ? (
        <p className="quiet">{none}</p>
      ) : (
        <ul aria-label={label} className="item-rows">
          {links.map((link) => (
            <li key={link.id}>
              <div>{show ? show(link) : link.name}</div>
              <Button
                look="ghost"
                aria-label={adminStrings.removeNamed(link.name)}
                onClick={() => act(() => onChange({ disconnect: [link.id] }))}
              >
                {adminStrings.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="admin-add">
        <Select
          label={add}
          value={selected}
          options={[['', adminStrings.choose], ...available.map(({ id, name }) => [id, name] as const)]}
          onChange={({ target }) => setSelected(target.value)}
        />
        <Button
          isBusy={isBusy}
          disabled={selected === ''}
          onClick={addSelected}
          aria-label={adminStrings.addTo(label)}
        >
          {adminStrings.add}
        </Button>
      </div>
    </div>
  );
}
