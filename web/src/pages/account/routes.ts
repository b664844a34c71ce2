import type { RouteRecordRaw } from 'vue-router'
import type { PaletteSource } from '@/parts/palette'
import { useTexts } from '@/texts'
import en from '@/texts/en/shell'

const t = useTexts(en)

export const routes: RouteRecordRaw[] = [
  {
    path: '/account',
    component: () => import('./account.vue'),
    children: [
      { path: '', component: () => import('./profile.vue') },
      { path: 'password', component: () => import('./password.vue') },
      { path: 'sessions', component: () => import('./sessions.vue') },
      { path: 'token', component: () => import('./token.vue') },
      { path: 'applications', component: () => import('./applications.vue') },
      { path: 'look', component: () => import('./look.vue') },
    ],
  },
]

export const palette: PaletteSource[] = [
  {
    name: 'account',
    label: () => t('account'),
    // Without a word typed it would only push projects out of sight. Its words are fetched when they are needed.
    find: async (text) => (text === '' ? [] : (await import('./found')).found()),
  },
]
