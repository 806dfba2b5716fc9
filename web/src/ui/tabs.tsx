import './tabs.css';
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { moveIndex } from './virtual-list.tsx';

interface TabsProps<Name extends string> {
  label: string;
  tabs: readonly (readonly [name: Name, label: string])[];
  at: Name;
  onGo(name: Name): void;
  children: ReactNode;
}

/** Shows tabs. Arrow keys move between them. */
export function Tabs<Name extends string>({ label, tabs, at, onGo, children }: TabsProps<Name>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const key = { ArrowRight: 'ArrowDown', ArrowLeft: 'ArrowUp', Home: 'Home', End: 'End' }[event.key];
    const index = tabs.findIndex(([name]) => name === at);
    const next = key && moveIndex(key, index, tabs.length);
    if (next === undefined || next === '') return;
    event.preventDefault();
    onGo(tabs[next]![0]);
    (list.current!.children[next] as HTMLElement).focus();
  };
  return (
    <>
      <div ref={list} className="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map(([name, text]) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === at}
            aria-controls={`${id}-panel`}
            tabIndex={name === at ? 0 : -1}
            onClick={() => onGo(name)}
          >
            {text}
          </button>
        ))}
      </div>
      <div
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${at}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll the content
        tabIndex={0}
      >
        {children}
      </div>
    </>
  );
}
