import { pageConfig } from '@croupier/table/vite'

export default pageConfig({ out: '../croupier_hearts/page' })
