import { useListEntries } from '../palette/use-list-entries.ts';
import { NavigationLink } from './navigation-link.tsx';

interface AreaListsProps {
  /** Addresses of lists, in the order of the menu. */
  addresses: readonly string[];
  currentAddress: string | undefined;
}

/** Links to the lists that the user can read. */
export function AreaLists({ addresses, currentAddress }: AreaListsProps) {
  const { lists } = useListEntries();
  return addresses.map((address) => {
    const list = lists.find(({ to }) => to === address);
    return (
      list && (
        <NavigationLink
          key={address}
          to={address}
          search={{}}
          className="page-link list-link"
          current={address === currentAddress ? 'page' : undefined}
        >
          {list.name}
        </NavigationLink>
      )
    );
  });
}
