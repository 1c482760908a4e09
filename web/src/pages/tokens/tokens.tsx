import type { PersonalToken } from '@cairn/sdk'
import { IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../../components/data/badge.tsx'
import { RelativeTime } from '../../components/data/relative-time.tsx'
import { Table } from '../../components/data/table.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { MakeButton } from '../../components/layout/make-button.tsx'
import { PageBody, PageHeader } from '../../components/layout/page-header.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { QueryResult } from '../../components/query/query-result.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'
import { NewToken } from './new-token.tsx'
import { RevokeToken } from './revoke-token.tsx'

const texts = messages.tokens

/** The personal tokens of the signed-in user: lists, creates and revokes them. */
export function Tokens() {
  const cairn = useCairn()
  const [isMaking, setIsMaking] = useState(false)
  const query = useQuery({
    queryKey: ['tokens'],
    queryFn: async ({ signal }) => (await cairn.user.tokens.list({ signal })).tokens,
  })
  const make = <MakeButton onClick={() => setIsMaking(true)}>{texts.new}</MakeButton>
  return (
    <PageBody>
      <PageHeader title={messages.shell.pages.tokens} sub={texts.sub} actions={make} />
      <Panel flush title={texts.list}>
        <QueryResult query={query}>
          {(tokens) =>
            tokens.length === 0 ? (
              <EmptyState icon={IconKey} title={texts.empty} action={make}>
                {texts.emptyText}
              </EmptyState>
            ) : (
              <List tokens={tokens} />
            )
          }
        </QueryResult>
      </Panel>
      <NewToken isOpen={isMaking} onClose={() => setIsMaking(false)} />
    </PageBody>
  )
}

function List({ tokens }: { tokens: PersonalToken[] }) {
  return (
    <Table label={texts.list}>
      <thead>
        <tr>
          <th>{texts.name}</th>
          <th>{texts.scope}</th>
          <th className="wide-only">{texts.made}</th>
          <th className="wide-only">{texts.ends}</th>
          <th>
            <span className="visually-hidden">{texts.doRevoke}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {tokens.map((token) => (
          <tr key={token.id}>
            <td>
              <span className="strong">{token.name}</span>
              <div className="narrow-only small dim">
                {texts.ends} <RelativeTime at={token.expiresAt} />
              </div>
            </td>
            <td>
              <Badge tone={token.scope === 'write' ? 'note' : 'plain'}>{texts.scopes[token.scope]}</Badge>
            </td>
            <td className="wide-only dim">
              <RelativeTime at={token.createdAt} />
            </td>
            <td className="wide-only dim">
              <RelativeTime at={token.expiresAt} />
            </td>
            <td className="num">
              <RevokeToken token={token} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
