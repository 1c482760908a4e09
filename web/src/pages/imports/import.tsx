import { PageBody, PageHead } from '../../parts/page-head.tsx'

export const ImportPage = () => (
  <PageBody>
    <PageHead title="ImportPage" />
  </PageBody>
)
