import '../workspace.css';
import { Link } from '@tanstack/react-router';
import { runMutation, runQuery } from '../../../graphql/client.ts';
import { formatCount, formatInstant, formatNumber } from '../../../i18n/format.ts';
import { LoadStatus } from '../../../shell/loading.tsx';
import { Screen } from '../../../shell/screen.tsx';
import { useLiveQuery } from '../../../shell/use-graphql-query.ts';
import { Facts } from '../../../ui/layout/facts.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { GuardedForm } from '../guarded-form.tsx';
import { adminStrings } from '../strings.ts';
import {
  CompanySaveDocument,
  OneCompanyDocument,
  WorkspaceFactsDocument,
  type WorkspaceFactsQuery,
} from './generated.ts';
import { Parameters } from './parameters.tsx';

export function CompanyPage() {
  const { data, refusal, reload } = useLiveQuery(WorkspaceFactsDocument, {}, 'res.company');
  return (
    <Screen title={adminStrings.companyPage}>
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data && (
        <div className="admin-page">
          <WorkspaceDetails data={data} />
          {data.companies.nodes.map((company) => (
            <CompanyForm key={company.id} company={company} reload={reload} />
          ))}
          <Parameters />
        </div>
      )}
    </Screen>
  );
}

const WorkspaceDetails = ({ data: { workspace, workspaceSeats: seats } }: { data: WorkspaceFactsQuery }) => (
  <section className="card" aria-label={adminStrings.workspace}>
    <h2>{adminStrings.workspace}</h2>
    <Facts
      facts={[
        [adminStrings.name, workspace.name],
        [adminStrings.slug, <code key="slug">{workspace.slug}</code>],
        [adminStrings.createdAt, formatInstant(workspace.createdAt)],
        [
          adminStrings.seats,
          seats.limit === null
            ? formatCount(seats.used, adminStrings.seatsUsed)
            : adminStrings.seatUsage(
                formatNumber(seats.used),
                formatNumber(seats.limit),
                formatNumber(Math.max(0, seats.limit - seats.used - seats.invited)),
              ),
        ],
        [adminStrings.serviceAccounts, formatNumber(seats.serviceAccounts)],
        [
          adminStrings.features,
          <Link key="features" to="/admin/features" search={{}}>
            {workspace.features.map((feature) => adminStrings.featureNames[feature]).join(', ') ||
              adminStrings.none}
          </Link>,
        ],
      ]}
    />
    <p className="quiet small">{adminStrings.workspaceText}</p>
  </section>
);

interface CompanyFormProps {
  company: WorkspaceFactsQuery['companies']['nodes'][number];
  reload(): void;
}

function CompanyForm({ company, reload }: CompanyFormProps) {
  const { street, zip, city, country } = company;
  const place = [zip, city].filter(Boolean).join(' ');
  return (
    <section className="card" aria-label={company.name}>
      <div className="section-head">
        <h2>{company.name}</h2>
        {!company.active && <StatusBadge tone="plain">{adminStrings.kinds.archived}</StatusBadge>}
      </div>
      <GuardedForm
        label={company.name}
        fields={[
          { name: 'name', label: adminStrings.companyName, required: true },
          {
            name: 'primaryColor',
            label: adminStrings.primaryColor,
            hint: adminStrings.colorHint,
            kind: 'color',
          },
          { name: 'secondaryColor', label: adminStrings.secondaryColor, kind: 'color' },
        ]}
        facts={company}
        loadCurrent={async () => (await runQuery(OneCompanyDocument, { id: company.id })).company}
        save={(input, { version: expectedVersion }) =>
          runMutation(CompanySaveDocument, { id: company.id, input, expectedVersion })
        }
        onSaved={reload}
      />
      <Facts
        facts={[
          [adminStrings.currency, company.currency?.displayName],
          [adminStrings.address, [street, place, country?.displayName].filter(Boolean).join(', ')],
          [adminStrings.email, company.email],
          [adminStrings.phone, company.phone],
          [adminStrings.website, company.website],
          [adminStrings.vat, company.vat],
        ]}
      />
      {company.partnerId && (
        <p>
          <Link to="/records/$model/$id" params={{ model: 'res.partner', id: company.partnerId }}>
            {adminStrings.changeAddress}
          </Link>
        </p>
      )}
    </section>
  );
}
