import type { RouteRecordRaw } from 'vue-router'

export const routes: RouteRecordRaw[] = [
  { path: '/invitation', component: () => import('./invitation.vue'), meta: { access: 'anyone' } },
]
