import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'
import { currentLocale } from '../language/language.ts'
import { messages } from '../messages/index.ts'

const tarn: MantineColorsTuple = [
  '#E8F6F5',
  '#CDEBE9',
  '#A3DEDB',
  '#7AD6D3',
  '#57C7C4',
  '#2FA5A5',
  '#178489',
  '#0A6B70',
  '#075559',
  '#04393C',
]

/** Numbers may always be typed with a point, too. */
const decimalSeparator = (0.5).toLocaleString(currentLocale())[1]!
const closeButtonProps = { 'aria-label': messages.common.close }

/** The Mantine theme of the console. */
export const theme = createTheme({
  primaryColor: 'tarn',
  colors: { tarn },
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  defaultRadius: 6,
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1.25rem', xl: '1.625rem' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Button: { defaultProps: { size: 'sm', variant: 'default' } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    NumberInput: { defaultProps: { size: 'sm', decimalSeparator } },
    Textarea: { defaultProps: { size: 'sm' } },
    // The list itself scrolls: around it, what scrolls would have to be reached with the keyboard.
    Select: { defaultProps: { size: 'sm', withScrollArea: false } },
    MultiSelect: { defaultProps: { withScrollArea: false } },
    Autocomplete: { defaultProps: { withScrollArea: false } },
    // White has too little contrast on the accent of the dark theme.
    Checkbox: { defaultProps: { iconColor: 'var(--on-accent)' } },
    Radio: { defaultProps: { iconColor: 'var(--on-accent)' } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    // Its placeholder for the first focus is no entry of a menu: axe reports it, and the first entry takes the focus.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: { defaultProps: { centered: true, transitionProps: { duration: 120 }, closeButtonProps } },
    Drawer: { defaultProps: { transitionProps: { duration: 180 }, closeButtonProps } },
    Notification: { defaultProps: { closeButtonProps } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: false } },
  },
})

/** Maps Mantine's variables to the design tokens, which follow the colour scheme. */
export const variables: CSSVariablesResolver = () => {
  const colours = {
    '--mantine-color-body': 'var(--surface)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--ink-2)',
    '--mantine-color-placeholder': 'var(--ink-3)',
    '--mantine-color-error': 'var(--err)',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-color-default': 'var(--surface)',
    '--mantine-color-default-hover': 'var(--hover)',
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-default-border': 'var(--line-mid)',
    '--mantine-color-disabled': 'var(--sunken)',
    '--mantine-color-disabled-color': 'var(--ink-3)',
    '--mantine-color-disabled-border': 'var(--line)',
    '--mantine-color-tarn-filled': 'var(--accent)',
    '--mantine-color-tarn-filled-hover': 'var(--accent-hover)',
    '--mantine-color-red-outline': 'var(--err)',
    '--mantine-color-red-outline-hover': 'var(--err-soft)',
    '--mantine-primary-color-contrast': 'var(--on-accent)',
  }
  return { variables: {}, light: colours, dark: colours }
}
