import { translation } from '../catalogue'
import type en from '../en/account-password'

export default translation<typeof en>({
  title: 'Changer votre mot de passe',
  about:
    'Vous restez connecté ici. Partout ailleurs vous êtes déconnecté, les programmes autorisés perdent leur accès et votre jeton d’API est remplacé.',
  current: 'Mot de passe actuel',
  wanted: 'Nouveau mot de passe',
  least: {
    one: 'Au moins {n} caractère, et aucun ancien mot de passe.',
    many: 'Au moins {n} caractères, et aucun ancien mot de passe.',
    other: 'Au moins {n} caractères, et aucun ancien mot de passe.',
  },
  change: 'Changer le mot de passe',
  changed: 'Le mot de passe est changé. Vous restez connecté ici.',
})
