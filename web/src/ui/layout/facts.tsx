import type { ReactNode } from 'react';

/** Lists facts by name. Facts without a value are left out. */
export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="fact-list">
    {facts.map(([name, value]) =>
      value === null || value === undefined || value === '' || value === false ? null : (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ),
    )}
  </dl>
);
