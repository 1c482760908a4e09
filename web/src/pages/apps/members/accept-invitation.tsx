import { Button } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { errorMessage } from '../../../components/feedback/failure.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page-header.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'

const texts = messages.app.members

/** The page that an invitation leads to. Its token is in the fragment of the address. */
export function AcceptInvitation() {
  const cairn = useCairn()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const token = useLocation({ select: ({ hash }) => hash })
  const acceptance = useMutation({
    mutationFn: () => cairn.apps.acceptInvitation(token),
    onSuccess: async ({ appId }) => {
      await queries.invalidateQueries({ queryKey: ['apps'] })
      await navigate({ to: '/apps/$appId', params: { appId } })
    },
  })
  return (
    <PageBody>
      <PageHeader title={texts.acceptTitle} />
      {acceptance.error && (
        <Notice tone="err" title={texts.notAccepted}>
          {errorMessage(acceptance.error)}
        </Notice>
      )}
      <EmptyState
        icon={IconMail}
        title={texts.invited}
        action={
          <Button
            variant="filled"
            disabled={token === ''}
            loading={acceptance.isPending}
            onClick={() => acceptance.mutate()}
          >
            {texts.accept}
          </Button>
        }
      >
        {token === '' ? texts.noToken : texts.acceptText}
      </EmptyState>
    </PageBody>
  )
}
