import type { Scan } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Confirm } from '../../parts/confirm.tsx'
import { sentenceOf } from '../../parts/failure.tsx'
import { Notice } from '../../parts/notice.tsx'
import { told } from '../../parts/notify.ts'
import { useCairn } from '../../session/session.tsx'
import { words } from '../../words/index.ts'
import { nameOf } from './scan-badges.tsx'

const texts = words.scans.remove

/** Takes a scan away with its file, after a question. */
export function DeleteScan({ scan }: { scan: Scan }) {
  const cairn = useCairn()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [isAsked, setIsAsked] = useState(false)
  const remove = useMutation({
    mutationFn: () => cairn.scans.delete(scan.id),
    onSuccess: async () => {
      told(texts.done(nameOf(scan)))
      await navigate({ to: '/scans' })
      queries.removeQueries({ queryKey: ['scan', scan.id] })
      await queries.invalidateQueries({ queryKey: ['scans'] })
    },
  })
  return (
    <>
      <Button leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setIsAsked(true)}>
        {texts.button}
      </Button>
      <Confirm
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        title={texts.title(nameOf(scan))}
        verb={texts.button}
        onConfirm={() => remove.mutate()}
        isBusy={remove.isPending}
      >
        <p>{texts.text}</p>
        {remove.error && <Notice tone="err">{sentenceOf(remove.error)}</Notice>}
      </Confirm>
    </>
  )
}
