"""Texts of every kind that fills an agent's context, some thousand characters each."""

from __future__ import annotations

import base64
import hashlib
import inspect
import json
import random
import uuid
from collections.abc import Iterator

from clew.budget import budget as python_module

ENGLISH = """
The importer reads every row of the ledger twice: once to learn which accounts exist, and once to
post the amounts. When a row names an account that is not known yet, the whole batch waits until
somebody decides whether it is a spelling mistake or a new customer. We tried to guess, and the
guesses were right nine times in ten, which turned out to be far worse than never guessing at all.
Nobody checks a machine that is usually right. So the rule is now simple and a little slow: ask,
write the answer down, and never ask the same question again. The tests cover the three mistakes
that were actually made last year, and the fourth one that nearly was.
"""
CHINESE = """
导入程序会把账本中的每一行读取两遍：第一遍用来了解有哪些账户，第二遍才真正记录金额。如果某一
行提到了未知的账户，整个批次就会停下来，等待有人判断这是拼写错误还是新的客户。我们曾经尝试自
动猜测，十次里有九次是对的，可是结果证明这比完全不猜更糟糕，因为没有人会去检查一台通常正确的
机器。所以现在的规则很简单，也稍微慢一些：先提问，把答案写下来，以后不再问同样的问题。测试覆
盖了去年真正发生过的三个错误，以及差一点发生的第四个错误。
"""
JAPANESE = """
取り込みプログラムは台帳のすべての行を二回読みます。一回目はどの口座があるかを調べるため、二
回目は金額を記録するためです。知らない口座が出てきた場合は、それが書き間違いなのか新しい顧客
なのかを誰かが決めるまで、処理全体が止まります。以前は自動で推測していましたが、十回のうち九
回は正しかったため、かえって誰も確認しなくなってしまいました。そこで今の規則は単純です。質問
して、答えを書き残し、同じことを二度と聞かないようにします。
"""
KOREAN = """
가져오기 프로그램은 장부의 모든 줄을 두 번 읽습니다. 처음에는 어떤 계정이 있는지 알아보고,
두 번째에는 금액을 기록합니다. 알 수 없는 계정이 나오면 그것이 오타인지 새로운 고객인지
누군가 결정할 때까지 전체 작업이 기다립니다. 예전에는 자동으로 추측했는데 열 번 중 아홉 번은
맞았고, 그래서 오히려 아무도 확인하지 않게 되었습니다. 이제 규칙은 단순하고 조금 느립니다.
질문하고, 답을 적어 두고, 같은 질문을 다시 하지 않습니다.
"""
ARABIC = """
يقرأ برنامج الاستيراد كل سطر من دفتر الحسابات مرتين: مرة ليعرف الحسابات الموجودة، ومرة ليسجل
المبالغ. عندما يذكر السطر حسابا غير معروف تنتظر الدفعة كلها حتى يقرر شخص ما هل هو خطأ إملائي
أم عميل جديد. حاولنا التخمين من قبل وكان التخمين صحيحا تسع مرات من كل عشر، لكن النتيجة كانت
أسوأ من عدم التخمين. لذلك أصبحت القاعدة بسيطة وبطيئة قليلا: اسأل، واكتب الجواب، ولا تكرر
السؤال نفسه مرة أخرى.
"""
RUSSIAN = """
Программа импорта читает каждую строку книги дважды: сначала чтобы узнать, какие счета
существуют, а затем чтобы записать суммы. Если в строке указан неизвестный счёт, вся партия
ждёт, пока кто-нибудь не решит, опечатка это или новый клиент. Мы пробовали угадывать, и
догадки были верны в девяти случаях из десяти, но это оказалось хуже, чем не угадывать
вовсе. Теперь правило простое и немного медленное: спросить, записать ответ и больше никогда
не задавать тот же вопрос.
"""
HINDI = """
आयात कार्यक्रम बही की हर पंक्ति को दो बार पढ़ता है: पहली बार यह जानने के लिए कि कौन से खाते
मौजूद हैं, और दूसरी बार राशि दर्ज करने के लिए। जब किसी पंक्ति में अनजान खाता मिलता है तो
पूरा काम तब तक रुका रहता है जब तक कोई यह तय न कर ले कि यह वर्तनी की गलती है या नया ग्राहक।
अब नियम सरल और थोड़ा धीमा है: पूछो, उत्तर लिखो, और वही सवाल दोबारा मत पूछो।
"""
GERMAN = """
Das Einleseprogramm liest jede Zeile des Hauptbuchs zweimal: zuerst, um zu erfahren, welche
Konten es gibt, und dann, um die Beträge zu buchen. Nennt eine Zeile ein unbekanntes Konto,
so wartet der ganze Stapel, bis jemand entscheidet, ob es ein Schreibfehler oder ein neuer
Kunde ist. Wir haben es mit Raten versucht, und neun von zehn Vermutungen waren richtig; das
war schlimmer, als gar nicht zu raten.
"""
POLISH = """
Program importujący czyta każdy wiersz księgi dwa razy: najpierw po to, żeby dowiedzieć się,
jakie konta istnieją, a potem, żeby zapisać kwoty. Jeśli wiersz wymienia nieznane konto,
cała partia czeka, aż ktoś zdecyduje, czy to literówka, czy nowy klient. Próbowaliśmy
zgadywać i dziewięć prób na dziesięć było trafnych, co okazało się gorsze niż niezgadywanie.
Teraz zasada jest prosta i trochę powolna.
"""
MINIFIED = (
    "!function(e,t){var n={};function r(i){if(n[i])return n[i].exports;var o=n[i]={i:i,l:!1,"
    "exports:{}};return e[i].call(o.exports,o,o.exports,r),o.l=!0,o.exports}r.m=e,r.c=n,r.d="
    'function(e,t,n){r.o(e,t)||Object.defineProperty(e,t,{enumerable:!0,get:n})},r.p="",t.x=r('
    'r.s=42)}([function(e,t,n){"use strict";for(var a=0,s=e.length;a<s;a++){const u=e[a];u.k&&('
    "t[u.k]=(t[u.k]||0)+1)}return Object.keys(t).map((e=>t[e])).filter(Boolean).sort(((e,t)=>e-t"
    "))}]);"
)
EMOJI = tuple("😀😂🥲🚀🔥🎉👍🙏🐛🧵📦🧪🛠🪤🦊🌍🍕🎯💥🫠🥳🤖👾🧠")


def _rows(count: int) -> list[dict[str, object]]:
    dice = random.Random(11)
    return [
        {
            "id": dice.randrange(10**6),
            "name": f"order-{number}",
            "total": round(dice.random() * 900, 2),
            "paid": dice.random() < 0.5,
            "at": f"2026-{dice.randint(1, 12):02}-{dice.randint(1, 28):02}T07:{number % 60:02}:09Z",
            "tags": ["eu", "retry"],
            "ref": None,
        }
        for number in range(count)
    ]


def _logs(count: int) -> Iterator[str]:
    dice = random.Random(12)
    for number in range(count):
        yield (
            f"2026-11-29 04:{number % 60:02}:{dice.randrange(60):02},{dice.randrange(1000):03} "
            f"{dice.choice(('INFO', 'WARN', 'ERROR'))} [worker-{dice.randrange(9)}] "
            f"GET /api/v1/orders/{dice.randrange(10**5)} {dice.choice((200, 404, 503))} "
            f"{dice.randrange(900)}ms"
        )


def _digests(count: int) -> list[bytes]:
    return [hashlib.sha256(str(number).encode()).digest() for number in range(count)]


def _emoji() -> str:
    dice = random.Random(13)
    return "".join(dice.choice(EMOJI) for _ in range(1_000))


TEXTS: dict[str, str] = {
    "English": ENGLISH * 3,
    "Python": inspect.getsource(python_module),
    "JSON, indented": json.dumps(_rows(30), indent=2),
    "JSON, compact": json.dumps(_rows(40), separators=(",", ":")),
    "log lines": "\n".join(_logs(60)),
    "Chinese": CHINESE * 5,
    "Japanese": JAPANESE * 5,
    "Korean": KOREAN * 5,
    "Arabic": ARABIC * 4,
    "Russian": RUSSIAN * 4,
    "Hindi": HINDI * 4,
    "German": GERMAN * 4,
    "Polish": POLISH * 4,
    "emoji": _emoji(),
    "hex digests": "\n".join(digest.hex() for digest in _digests(60)),
    "base64": base64.b64encode(b"".join(_digests(100))).decode(),
    "UUID rows": "\n".join(str(uuid.uuid5(uuid.NAMESPACE_URL, str(n))) for n in range(100)),
    "minified script": MINIFIED * 8,
}
