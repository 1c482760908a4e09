import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { messages } from '../../messages/index.ts'

type Props = { children: ReactNode; onClick: () => void; isSmall?: boolean }

/**
 * The button that makes a record of a list. Give it both to the header of the page or panel and to the empty list: while the
 * list is empty, its own button replaces the one in the header, which is hidden while the list loads.
 */
export const MakeButton = ({ children, onClick, isSmall }: Props) => (
  <Button
    data-make
    leftSection={<IconPlus size={isSmall ? 14 : 16} aria-hidden />}
    onClick={onClick}
    {...(isSmall ? { size: 'xs' } : { variant: 'filled' })}
  >
    {children}
  </Button>
)

/** In an empty list, in place of the button, for those whose role in the app does not allow it. */
export const NeedsRole = ({ least }: { least: keyof typeof messages.common.needsRole }) => (
  <p className="dim">{messages.common.needsRole[least]}</p>
)
