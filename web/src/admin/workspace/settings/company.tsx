import '../../operation/operation.css';
import '../workspace.css';
import { Link } from '@tanstack/react-router';
import { runMutation, runQuery } from '../../../graphql/client.ts';
import { useReloadOnChange } from '../../../graphql/live.ts';
import { formatCount, formatInstant, formatNumber } from '../../../i18n/format.ts';
import { LoadError, Screen } from '../../../shell/screen.tsx';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { shellWords } from '../../../shell/words.ts';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { Facts } from '../../operation/detail-panel.tsx';
import { GuardedForm } from '../guarded-form.tsx';
import { RequirePermission } from '../require-permission.tsx';
import { adminWords } from '../words.ts';
import {
  CompanySaveDocument,
  type CompanyShownFragment,
  OneCompanyDocument,
  WorkspaceFactsDocument,
  type WorkspaceFactsQuery,
} from './generated.ts';
import { Parameters } from './parameters.tsx';

/** What the workspace is: its names and seats, its companies, and settings that have no screen of their own. */
export const CompanyPage = () => (
  <RequirePermission title={adminWords.companyPage} needs="workspaceSeats">
    <CompanySettings />
  </RequirePermission>
);

function CompanySettings() {
  const { data, refusal, reload } = useGraphqlQuery(WorkspaceFactsDocument, {});
  useReloadOnChange('res.company', reload);
  return (
    <Screen title={adminWords.companyPage} needs="workspaceSeats">
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {!data && !refusal && <p role="status">{shellWords.loading}</p>}
      {data && (
        <div className="admin-page">
          <Workspace data={data} />
          {data.companies.nodes.map((company) => (
            <Company key={company.id} company={company} reload={reload} />
          ))}
          <Parameters />
        </div>
      )}
    </Screen>
  );
}

const Workspace = ({ data: { workspace, workspaceSeats: seats } }: { data: WorkspaceFactsQuery }) => (
  <section className="card" aria-label={adminWords.workspace}>
    <h2>{adminWords.workspace}</h2>
    <Facts
      facts={[
        [adminWords.name, workspace.name],
        [adminWords.slug, <code key="slug">{workspace.slug}</code>],
        [adminWords.createdAt, formatInstant(workspace.createdAt)],
        [
          adminWords.seats,
          seats.limit === null
            ? formatCount(seats.used, adminWords.seatsUsed)
            : adminWords.seatsOf(
                formatNumber(seats.used),
                formatNumber(seats.limit),
                formatNumber(Math.max(0, seats.limit - seats.used - seats.invited)),
              ),
        ],
        [adminWords.serviceAccounts, formatNumber(seats.serviceAccounts)],
        [
          adminWords.features,
          <Link key="features" to="/admin/features" search={{}}>
            {workspace.features.map((feature) => adminWords.featureNames[feature]).join(', ') ||
              adminWords.nothing}
          </Link>,
        ],
      ]}
    />
    <p className="quiet small">{adminWords.workspaceText}</p>
  </section>
);

/** The values that the form changes. Pure. */
const getCompanyValues = ({ name, primaryColor, secondaryColor }: CompanyShownFragment) => ({
  name,
  primaryColor,
  secondaryColor,
});

interface CompanyProps {
  company: WorkspaceFactsQuery['companies']['nodes'][number];
  reload(): void;
}

function Company({ company, reload }: CompanyProps) {
  const { street, zip, city, country } = company;
  const place = [zip, city].filter(Boolean).join(' ');
  return (
    <section className="card" aria-label={company.name}>
      <div className="admin-head">
        <h2>{company.name}</h2>
        {!company.active && <StatusBadge tone="plain">{adminWords.kinds.archived}</StatusBadge>}
      </div>
      <GuardedForm
        label={company.name}
        fields={[
          { name: 'name', label: adminWords.companyName, required: true },
          { name: 'primaryColor', label: adminWords.primaryColor, hint: adminWords.colorHint },
          { name: 'secondaryColor', label: adminWords.secondaryColor },
        ]}
        kept={company}
        values={getCompanyValues(company)}
        ask={async () => {
          const { company: now } = await runQuery(OneCompanyDocument, { id: company.id });
          return now && { kept: now, values: getCompanyValues(now) };
        }}
        save={(changes, { kept }) =>
          runMutation(CompanySaveDocument, { id: company.id, updatedAt: kept.updatedAt!, ...changes })
        }
        onSaved={reload}
      />
      <Facts
        facts={[
          [adminWords.currency, company.currency?.displayName],
          [adminWords.address, [street, place, country?.displayName].filter(Boolean).join(', ')],
          [adminWords.email, company.email],
          [adminWords.phone, company.phone],
          [adminWords.website, company.website],
          [adminWords.vat, company.vat],
        ]}
      />
      {company.partnerId && (
        <p>
          <Link to="/records/$model/$id" params={{ model: 'res.partner', id: company.partnerId }}>
            {adminWords.changeAddress}
          </Link>
        </p>
      )}
    </section>
  );
}
