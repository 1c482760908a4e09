import { PageBody, PageHead } from '../../parts/page-head.tsx'

export const Imports = () => (
  <PageBody>
    <PageHead title="Imports" />
  </PageBody>
)
