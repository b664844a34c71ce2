import { translation } from '../catalogue'
import type en from '../en/account-password'

export default translation<typeof en>({
  title: 'Mudar a sua palavra-passe',
  about:
    'Aqui a sessão continua. Em todos os outros lugares termina, os programas autorizados perdem o acesso e o seu token da API é substituído.',
  current: 'Palavra-passe atual',
  wanted: 'Nova palavra-passe',
  least: {
    one: 'Pelo menos {n} carácter, e nenhuma que já tenha usado.',
    many: 'Pelo menos {n} caracteres, e nenhuma que já tenha usado.',
    other: 'Pelo menos {n} caracteres, e nenhuma que já tenha usado.',
  },
  change: 'Mudar a palavra-passe',
  changed: 'A palavra-passe foi mudada. Aqui a sessão continua.',
})
