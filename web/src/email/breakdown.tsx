import { useNavigate, useSearch } from '@tanstack/react-router';
import { formatNumber, formatWhen } from '../i18n/format.ts';
import { useAnswer } from '../shell/answer.ts';
import { Failed } from '../shell/screen.tsx';
import { shellWords } from '../shell/words.ts';
import { Choice, Field } from '../ui/field.tsx';
import { BREAKDOWNS } from './address.ts';
import {
  BreakdownDocument,
  type BreakdownQuery,
  type BreakdownQueryVariables,
  type EmailBreakdownBy,
} from './generated.ts';
import { emailWords } from './words.ts';

/** What emails have in common, and how those did: which key bounces, which campaign is opened. */
export function Breakdown() {
  const { days = 30, domain, by = 'KEY', tag } = useSearch({ from: '/email' });
  const navigate = useNavigate({ from: '/email' });
  return (
    <section className="card breakdown">
      <h2>{emailWords.breakdown}</h2>
      <div className="breakdown-choice">
        <Choice
          label={emailWords.brokenDownBy}
          value={by}
          options={BREAKDOWNS.map((each) => [each, emailWords.breakdowns[each]])}
          onChange={({ target }) => {
            const chosen = BREAKDOWNS.find((each) => each === target.value);
            navigate({ search: (old) => ({ ...old, by: chosen }), replace: true });
          }}
        />
        {by === 'TAG' && (
          <Field
            key={tag}
            label={emailWords.tagName}
            defaultValue={tag ?? ''}
            onBlur={({ target }) =>
              navigate({ search: (old) => ({ ...old, tag: target.value || undefined }) })
            }
            onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
          />
        )}
      </div>
      {(by !== 'TAG' || tag) && <Groups {...{ days, domain, by }} tag={by === 'TAG' ? tag : undefined} />}
    </section>
  );
}

function Groups(asked: BreakdownQueryVariables) {
  const { data, refusal, reload } = useAnswer(BreakdownDocument, asked);
  if (refusal) return <Failed refusal={refusal} onAgain={reload} />;
  if (!data) return <p role="status">{shellWords.loading}</p>;
  const { groups, isComplete } = data.emailBreakdown;
  if (groups.length === 0) return <p className="quiet">{emailWords.nothingInTime}</p>;
  return (
    <>
      {!isComplete && <p className="quiet">{emailWords.breakdownIsPart}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and then needs the keyboard */}
      <section className="scroll-x" tabIndex={0} aria-label={emailWords.breakdown}>
        <table className="figures-table">
          <thead>
            <tr>
              <th scope="col">{emailWords.breakdowns[asked.by]}</th>
              <th scope="col">{emailWords.emails}</th>
              {KINDS.map((kind) => (
                <th key={kind} scope="col">
                  {emailWords.kinds[kind]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <tr key={group.key}>
                <th scope="row">{nameOf(group, asked.by)}</th>
                <td>{formatNumber(group.emails)}</td>
                {KINDS.map((kind) => (
                  <td key={kind}>{formatNumber(group[kind])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

const KINDS = ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained'] as const;

/** Pure. */
function nameOf(
  { key, label }: BreakdownQuery['emailBreakdown']['groups'][number],
  by: EmailBreakdownBy,
): string {
  if (key === null || key === undefined) return emailWords.withoutIt;
  if (by === 'HOUR') return formatWhen(key);
  return label ?? key;
}
