import { Link } from '@tanstack/react-router';
import { useListEntries } from '../palette/use-list-entries.ts';

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
        <Link
          key={address}
          to={address}
          search={{}}
          className="page-link list-link"
          activeOptions={{ exact: true, includeSearch: false }}
          aria-current={address === currentAddress ? 'page' : undefined}
        >
          {list.name}
        </Link>
      )
    );
  });
}
