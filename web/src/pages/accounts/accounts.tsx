import type { LocalAccount } from '@cairn/sdk'
import { IconUserKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Badge, badgeIcons } from '../../components/data/badge.tsx'
import { RelativeTime } from '../../components/data/relative-time.tsx'
import { Table } from '../../components/data/table.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { NotAllowed } from '../../components/feedback/failure.tsx'
import { MakeButton } from '../../components/layout/make-button.tsx'
import { PageBody, PageHeader } from '../../components/layout/page-header.tsx'
import { SearchList } from '../../components/query/search-list.tsx'
import { messages } from '../../messages/index.ts'
import { loadSettings } from '../../session/console-settings.ts'
import { useCairn, useRoles } from '../../session/session.tsx'
import { RoleBadges } from '../admin/user-label.tsx'
import { AccountActions } from './account-actions.tsx'
import { NewAccount } from './new-account.tsx'

const texts = messages.accounts
const route = getRouteApi('/shell/accounts')
const STATE_TONES = { active: 'ok', invited: 'warn', disabled: 'plain' } as const

/** The local accounts: lists, creates, disables and deletes them, and makes links that set a password. */
export function Accounts() {
  const { isOps } = useRoles()
  const { data: settings } = useQuery({ queryKey: ['settings'], queryFn: loadSettings })
  const [isMaking, setIsMaking] = useState(false)
  const hasAccounts = settings?.signIn?.isBox ?? true
  const make = <MakeButton onClick={() => setIsMaking(true)}>{texts.new}</MakeButton>
  return (
    <PageBody>
      <PageHeader
        title={messages.shell.pages.accounts}
        sub={texts.sub}
        breadcrumbs={[{ name: messages.admin.group }]}
        {...(isOps && hasAccounts && { actions: make })}
      />
      {!isOps ? (
        <NotAllowed>{messages.common.notAllowedText(messages.admin.onlyOps)}</NotAllowed>
      ) : hasAccounts ? (
        <List make={make} />
      ) : (
        <EmptyState icon={IconUserKey} title={texts.elsewhere}>
          {texts.elsewhereText}
        </EmptyState>
      )}
      <NewAccount isOpen={isMaking} onClose={() => setIsMaking(false)} />
    </PageBody>
  )
}

function List({ make }: { make: React.ReactNode }) {
  const cairn = useCairn()
  const navigate = useNavigate()
  const { q = '' } = route.useSearch()
  return (
    <SearchList
      title={texts.list}
      searchLabel={texts.find}
      search={q}
      onSearch={(q) => void navigate({ to: '/accounts', search: q ? { q } : {}, replace: true })}
      queryKey={['accounts']}
      load={(query) => cairn.accounts.list({ limit: 50, ...(query && { query }) })}
      empty={(query) =>
        query ? (
          <EmptyState icon={IconUserKey} title={texts.noneFound(query)} />
        ) : (
          <EmptyState icon={IconUserKey} title={texts.none} action={make}>
            {texts.noneText}
          </EmptyState>
        )
      }
    >
      {(items) => (
        <Table label={messages.shell.pages.accounts}>
          <thead>
            <tr>
              <th>{texts.login}</th>
              <th className="wide-only">{texts.email}</th>
              <th className="wide-only">{messages.admin.users.roles}</th>
              <th>{texts.state}</th>
              <th className="wide-only">{texts.lastSignIn}</th>
              <th>
                <span className="visually-hidden">{messages.shell.actions}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map((account) => (
              <Row key={account.id} account={account} />
            ))}
          </tbody>
        </Table>
      )}
    </SearchList>
  )
}

function Row({ account }: { account: LocalAccount }) {
  const { id, login, email, roles, state, lockedUntil, lastSignInAt } = account
  return (
    <tr>
      <td>
        <Link data-row to="/users/$userId" params={{ userId: id }}>
          {login}
        </Link>
        {roles.length > 0 && (
          <div className="narrow-only">
            <RoleBadges roles={roles} />
          </div>
        )}
      </td>
      <td className="wide-only dim">{email ?? '–'}</td>
      <td className="wide-only">
        <RoleBadges roles={roles} />
      </td>
      <td>
        <span className="row wrap">
          <Badge tone={STATE_TONES[state]} {...(state === 'disabled' && { icon: badgeIcons.lock })}>
            {texts.states[state]}
          </Badge>
          {lockedUntil && (
            <Badge tone="err" icon={badgeIcons.lock}>
              {texts.locked}
            </Badge>
          )}
        </span>
      </td>
      <td className="wide-only dim">{lastSignInAt ? <RelativeTime at={lastSignInAt} /> : texts.unknown}</td>
      <td className="num">
        <AccountActions account={account} />
      </td>
    </tr>
  )
}
