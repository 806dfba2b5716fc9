import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { Select } from '../ui/form/field.tsx';
import { DomainNamesDocument } from './generated.ts';
import { emailStrings } from './strings.ts';

interface DomainChoiceProps {
  value: string | undefined;
  onChoose(id: string | undefined): void;
}

export function DomainChoice({ value, onChoose }: DomainChoiceProps) {
  const { data } = useGraphqlQuery(DomainNamesDocument, {});
  const domains = data?.sendingDomains.nodes ?? [];
  return (
    <Select
      label={emailStrings.domain}
      value={value ?? ''}
      options={[['', emailStrings.allDomains], ...domains.map(({ id, name }) => [id, name] as const)]}
      onChange={({ target }) => onChoose(target.value || undefined)}
    />
  );
}
