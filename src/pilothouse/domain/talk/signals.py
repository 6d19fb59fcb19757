"""The rule tables of question detection: how asking, courtesy, answers and reports read in English and Japanese.

Every pattern is meant for one sentence, already free of code, links, quotations and Markdown. Repetitions are
bounded, so that a hostile sentence costs no more than its length.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

_FLAGS = re.IGNORECASE


@dataclass(frozen=True, slots=True)
class Alternatives:
    """A pattern that is compiled when it is first used: compiling all of them would slow down every start."""

    text: str

    def search(self, sentence: str) -> re.Match[str] | None:
        return _compiled(self.text).search(sentence)


@cache
def _compiled(text: str) -> re.Pattern[str]:
    return re.compile(text, _FLAGS)


def _any(*alternatives: str) -> Alternatives:
    return Alternatives("|".join(f"(?:{alternative})" for alternative in alternatives))


@dataclass(frozen=True, slots=True)
class Signal:
    name: str
    weight: float
    pattern: Alternatives


QUESTION_MARK = re.compile(r"[?？]\s{0,3}[)）\]]?\s{0,3}(?:[(\[]\s?y\s?/\s?n\s?[)\]])?\s{0,3}$", _FLAGS)
JAPANESE_QUESTION = re.compile(
    r"(?:です|ます|でしょう|ません|ましょう|ました|よろしい|よい|良い|いい|べき|ない)か(?:ね|な)?[。．.]?\s{0,3}$"
)
PLAIN_JAPANESE_QUESTION = re.compile(
    r"(?<!です)(?<!ます)(?<!しょう)(?<!ません)(?<!ました)か[?？。]?\s{0,3}$|は[?？]\s{0,3}$"
)
"""The plain form is how a writer asks himself; the person is asked politely."""

_DECISION = (
    r"confirm(?! (?:dialog|step|prompt))|clarify|choose|select|pick|decide|approve|advise|specify|"
    r"provide|send|share|paste|"
    r"indicate|verify|double-check|reply|respond|answer|tell me|let me know|correct me|point me"
)
_WHICH = (
    r"which|whether|what|how|where|when|who|if (?:i|we|this|that|it|these|the)\b|your|"
    r"the (?:exact|name|number|rule)"
)

QUESTION_SIGNALS = (
    Signal(
        "explicit permission",
        1.3,
        _any(
            r"^(?:may|shall|should) i\b",
            r"\bis it (?:ok|okay|fine|alright|acceptable|safe)\b",
            r"\b(?:do you want|would you like|want|ready for) (?:me|us)\b",
            r"(?:よろしい|構いません|かまいません)",
        ),
    ),
    Signal(
        "permission",
        1.2,
        _any(
            r"\b(?:may|shall|should|can|could|must|do|am|would) (?:i|we)\b",
            r"\b(?:ok|okay|alright|fine|safe|acceptable|good|ready) (?:to|if|for (?:me|us))\b",
            r"\b(?:want|like|prefer|need|allow|ready for|mind if) (?:me|us|i)\b",
            r"\b(?:proceed|continue|go ahead|apply)\b",
            r"(?:て|で)も?(?:よい|良い|いい|よろしい|大丈夫|構いません|かまいません|問題(?:ない|ありません))",
            r"(?:し|り|き|い|え|め|べ|け)(?:ますか|ましょうか)[?？。]?",
            r"続行|進め",
        ),
    ),
    Signal(
        "addressed",
        0.8,
        _any(
            r"\b(?:you|your|yours)\b",
            r"\b(?:do|should|shall|can|are|did|have) we\b",
            r"(?:いただけ|頂け|ください|想定して|ご希望|お考え|意図した|理解で)",
        ),
    ),
    Signal(
        "choice",
        0.8,
        _any(
            r"\bwhich\b",
            r"\bor\b.{1,200}\?",
            r"\bprefer(?:ence|red)?\b",
            r"\b(?:supposed|intended|expected|on purpose|correct|right)\b",
            r"どちら|どれ|どの|どう(?:し|扱)|いずれ|それとも|べきです|べきでしょう|正しい|合ってい",
        ),
    ),
)

RHETORICAL = _any(
    r"^(?:so|but|and|then|now)?,? ?why\b(?! (?:do|did|would|are) you)",
    r"^(?:so|and|but|then)\b.{0,40}(?:what|how|who|the)\b",
    r"^what about\b",
    r"^what (?:does|did|do) (?:this|that|it) (?:mean|change|give|buy|cost)",
    r"^what (?:happens|happened|was|were|went|caused|causes)\b",
    r"^how (?:could|come|did|does|bad|much faster)\b(?! you)",
    r"^(?:who (?:knew|calls|would|needs|uses)|isn't (?:it|that)|wasn't (?:it|that))\b",
    r"^was (?:it|this|that)\b",
    r"^(?:what|which|how|who|where|when)\b.{0,40}\b(?:did|was|were|had)\b(?!.{0,60}\byou\b)",
    r"たの(?:でしょう|です)?か[?？。]?$",
    r"^(?:なぜ|何故|では|さて|どうして|つまり)",
)
EXCLAMATION = _any(r"^(?:who knew|who would have|isn't (?:it|that) (?:nice|great|lovely|funny)|what could go wrong)\b")
REPORTED = _any(
    r"(?<!you )\b(?:ask(?:s|ed)|answers?|covers?|questions?|prompts?|titled|named|called|reads|"
    r"says|said|wrote|commented)\b[^?]{0,120}[:(]",
    r"^(?:it|this|the \w+(?: \w+)?) (?:asks|answers|covers|explains|describes)\b",
)

REQUESTS = (
    Signal(
        "please decide",
        3.0,
        _any(
            rf"\b(?:please|kindly)\b(?: \w+)?(?:,)? (?:{_DECISION})\b",
            r"\b(?:please|kindly)\b.{1,120}\b(?:paste|reply|tell me|let me know|send me|report back|advise|"
            r"confirm)\b",
            rf"\b(?:let me know|tell me)\b,? (?:please )?(?:{_WHICH}|once|as soon as|to (?:continue|proceed|go))",
            r"\bgive me\b.{1,80}\band i\b",
            r"\b(?:can|could|would) you (?:please |kindly |also )?(?:tell|share|provide|clarify|confirm|send|"
            r"give|paste|"
            r"check|specify|point|explain|decide|choose|let me know)\b.{1,300}\?",
            r"^(?:i|we) (?:still )?have (?:a|one|two|three|some|several|a few|\d) (?:\w+ )?questions?\b",
            r"^(?:so,? )?(?:pick|choose|select)\b.{0,160}(?::$|\b(?:one|which|between|so (?:i|that)|and i)\b)",
            r"^(?:reply|respond)\b",
            r"^confirm\b.{0,120}\b(?:and i|that|before|to (?:proceed|continue))\b",
            r"^(?:type|enter|say)\b.{0,160}\bor\b",
            r"\b(?:say|reply(?: with)?|respond(?: with)?|answer(?: with)?|write) (?:QUOTE|CODE|yes|no|go)\b",
            r"^(?:paste|send|share|provide|give|add|set|tell|drop|point|log in)\b.{1,200}\band i(?:'ll|"
            r" can| will)\b",
            r"\blet me know[.!]?$",
            r"^questions?(?: for you)?:",
            r"^your (?:pick|choice|call|decision|turn)\b",
            r"\b(?:say so|go|ok|okay)\b.{0,10}\band i(?:'ll| will| can)\b",
            r"\bwhen (?:i should|to) (?:begin|start|continue|proceed|go|resume)\b",
        ),
    ),
    Signal(
        "waiting for a person",
        3.0,
        _any(
            r"\b(?:a?waiting (?:for|on)?|await) ?(?:your|you|the|a)? ?(?:\w+ )?"
            r"(?:go-ahead|decision|choice|reply|answer|approval|confirmation|response|input|call|"
            r"instructions?|feedback)",
            r"\b(?:i|we)(?:'d|'ll| would| will)? (?:\w+ )?(?:need|like|want|require)s? (?:\w+ )?"
            r"(?:you to (?:decide|choose|pick|confirm|tell|approve|clarify|provide)|"
            r"your (?:\w+ )?(?:call|input|decision|approval|confirmation|permission|answer|guidance|"
            r"help deciding))",
            r"\b(?:i|we) need (?:to know|an answer|a decision|more information|more details|clarification|"
            r"access to|the )",
            r"\byour (?:\w+ )?(?:input|approval|decision|confirmation|answer|permission|guidance|call)\b.{0,40}"
            r"\b(?:needed|required|necessary|first)\b",
            r"\bneeds? your (?:\w+ )?(?:input|approval|decision|confirmation|answer|call|permission)\b",
            r"\b(?:once|when|after|as soon as) you(?:'ve| have)? (?:confirm|approve|decide|choose|answer|"
            r"reply|agree|sign)",
            r"\bi (?:won't|will not|'ll not) .{1,80}\b(?:before|until|unless) you\b",
            r"\b(?:hold off|on hold|paused|stopped|wait)\b.{0,60}\buntil (?:you|then|i hear)",
            r"\bbefore i (?:start|continue|proceed|begin|go|change|make|run|touch|"
            r"commit)\b.{0,80}\b(?:let me|tell|confirm)\b",
            r"\b(?:let me|tell|confirm|check)\b.{0,120}\bbefore i (?:start|continue|proceed|begin|go|change|"
            r"make|run|touch)",
            r"\bdecision (?:needed|required)\b",
            r"\b(?:could|can) (?:really )?use (?:some|your|a bit of) (?:\w+ )?(?:guidance|input|help|"
            r"direction|advice)\b",
            r"\bi(?:'d| would) (?:appreciate|value|welcome) (?:your|some) (?:\w+ )?(?:input|guidance|"
            r"decision|advice)\b",
            r"\b(?:up to you|your call|you decide|over to you|yours to (?:make|decide))\b",
            r"\b(?:i|we) (?:can't|cannot|can not) (?:continue|proceed|go on|go further|move on|decide)\b",
            r"\bi(?:'m| am) blocked (?:on|until|by)\b",
            r"\bi(?:'ll| will) (?:wait|hold|pause|stop here) (?:for|until|here until)\b",
            r"\bneed(?:ed)? from you\b",
            r"\b(?:i'd rather ask|want(?:ed)? to (?:check|confirm|ask)|check(?:ing)? with you)\b",
            r"\b(?:after|once|when|as soon as) you(?:'ve| have) (?:confirmed|decided|approved|chosen|"
            r"answered|replied)",
            r"\b(?:green light|go-ahead|sign-off) (?:from you|to|before|first)\b",
        ),
    ),
    Signal(
        "japanese request",
        3.0,
        _any(
            r"(?:教え|知らせ|聞かせ|選ん|選択し|指定し|指示し|決め|送っ|返信し|回答し|返答し|承認し|確認し|判断し|入力し|提示し|共有し)"
            r"(?:て|で)(?:ください|下さい|いただけ|頂け|いただく必要|ほしい|欲しい)",
            r"(?:ご?(?:確認|指示|指定|判断|回答|返信|返答|承認|選択|決定|教示|意見|希望|検討|許可)|お知らせ|お聞かせ|お選び|お答え|お決め)"
            r"(?:の(?:ほど|程))?(?:を)?、?(?:お?ください|下さい|お願い|お待ち|いただきたい|いただけ(?:ます|ると|れば)|お聞かせ)",
            r"(?:承認|許可|判断|指示|回答|返信|確認|決定)(?:を|が|の)?(?:\S{0,8})?(?:待って|待ち|必要です|必要があります|いただ(?:き|け|く))",
            r"(?:ご?(?:意見|判断|返事|返答|返信|回答|指示|希望|要望|承認|許可|見解)|お返事|お考え)(?:を|が|も)?"
            r"(?:お?伺|お待ち|いただ|頂|お聞|聞か|お願い)",
            r"(?:いただ|頂|もら)(?:き|い|け)?(?:次第|ましたら|たら|てから|た(?:うえ|上)で)",
            r"(?:教え|承認し|確認し|指定し|決め)て(?:いただければ|いただけると|いただく必要)",
        ),
    ),
)

MILD_REQUEST = _any(
    r"^(?:please|kindly)\b(?! (?:note|see|find|be|don't|do not|make sure|ensure|remember|keep|"
    r"feel|refer|allow|expect)\b)",
    r"(?<!注意)(?<!了承)(?<!参照)(?<!ご覧)(?<!利用)(?<!安心)(?:ください|下さい)。?$",
)
"""Instructions after finished work read the same, so this counts only at the end of a text that reports none."""

COURTESY = _any(
    r"\b(?:let me know|tell me|ping me|shout|reach out|contact|ask|say so|say the word)\b.{0,40}"
    r"\b(?:if|should|in case|whenever) (?:you|anything|something|there|it(?! is (?:ok|fine|right))|"
    r"any|i missed|further)\b",
    r"^(?:and |but |also,? )?(?:if|should) (?:you|anything|something|there|any|it|not|needed|that|a|the)\b"
    r"(?!.{0,120}\b(?:before i|until|and i'll (?:start|begin|continue|proceed))\b)(?!.{0,200}\?)",
    r"\b(?:feel free|don't hesitate|do not hesitate|happy to|glad to|here to help|hope (?:this|that) helps)\b",
    r"\b(?:anything|something|what|someone) else\b.{0,60}\?",
    r"^(?:need|want) (?:anything|something|any|more)\b",
    r"\bany (?:other )?questions\b",
    r"\bwould you like (?:anything|something|any|to (?:know|see|hear) more|more)\b",
    r"^(?:how does (?:that|this) (?:sound|look)|does (?:that|this) (?:help|make sense|answer))\b",
    r"\b(?:let me know|tell me) (?:how it goes|your thoughts|what you think)[.!]?$",
    r"\bwhen(?:ever)? you (?:get|have) (?:a|the|some|time)\b",
    r"(?:あれば|ありましたら|ございましたら|でしたら|たい場合は?|必要(?:であれば|なら|な場合|に応じて)|ようなら|ようでしたら|際は|(?:起き|出|感じ|困っ|見つけ)たら)"
    r".{0,40}(?:ください|下さい|どうぞ|let me know|できます|可能です|いたします|お申し付け|ご連絡|ご一報|対応)",
    r"(?:他|ほか|その他)に.{0,30}(?:あり|ござい|ないです|でしょう)",
    r"確認の(?:ほど|程)、?(?:何卒)?よろしくお願い",
    r"お気軽に|遠慮なく|お役に立|幸いです|いつでも(?:どうぞ|お)|お時間の|お手すき",
)
STILL_ASKS = _any(
    r"\bbefore i (?:start|continue|proceed|begin|go|change|make|run|touch|commit|merge|push)\b",
    r"\bif i should\b",
    r"\bif (?:you're|you are|that's|that is|this is|it's|all is) (?:\w+ )?"
    r"(?:fine|ok|okay|happy|good|alright|comfortable|acceptable)\b",
    r"\bif you (?:agree|approve|consent)\b",
    r"\b(?:otherwise|or) (?:say|reply|tell)\b",
)
"""A conditional that looks like a courtesy but holds the work back."""

_MORE = r"\b(?:also|too|as well|additionally|in addition|while i'm at it)\b"
OFFER = _any(
    rf"\b(?:shall|should|may|can|could) i\b(?=.{{0,200}}{_MORE})",
    rf"\b(?:want|like) me to\b(?=.{{0,200}}{_MORE})",
    r"\blet me know if (?:you(?:'d| would)? (?:want|like|prefer) me to|i should also)\b"
    r"(?! (?:explain|elaborate|go (?:over|through)))",
    r"\bif you(?:'d| would)? (?:like|want|prefer|wish),? "
    r"(?:me to .{1,120}say so|i(?:'ll| can| could|'d be happy to| would be happy to))\b",
    r"\bi(?:'d be happy to| can| could) (?:also )?(?!help|explain|answer)"
    r".{1,120}\bif you(?:'d| would)? (?:like|want|wish|prefer)\b",
    r"(?:ついでに|[あ併合]わ?せて|続けて|さらに|加えて|同様に|も一緒に).{0,80}(?:ましょうか|ますか)",
    r"(?:ご希望|ご要望|必要)(?:があれば|であれば|でしたら|なら).{0,80}も.{0,60}"
    r"(?:できます|可能です|します|お申し付け|お知らせ|ください)",
)
"""What could be done beside finished work: nothing waits for the answer."""

ANSWER = _any(
    r"^(?:because|since|due to|yes|no|nope|not|none|nobody|nothing|neither|both|from|only|also|"
    r"mostly|partly|slightly|"
    r"definitely|absolutely|certainly|measurably|clearly|obviously|hardly|"
    r"negligible|barely|exactly|correct)\b(?! sure)",
    r"^(?:it|they|he|she|that|this|there)(?:'s| is| are| was| were| does| did| do| can| isn't|"
    r" wasn't| didn't| doesn't|"
    r" can't| turns| turned| would| could)\b",
    r"^the (?:answer|reason|cause|culprit|short answer)\b",
    r"^(?:i (?:tried|checked|looked|tested|measured|ran|wrote|traced)|looking at|turns out|that was|"
    r"git bisect|CODE says)\b",
    r"^(?:はい|いいえ|いえ|ありません|ほとんど|答えは|原因は|結論|その通り|実は)",
    r"(?:ため|から|の)(?:です|でした)。?$",
)
_WORK = (
    r"fixed|added|changed|removed|renamed|replaced|implemented|moved|updated|committed|pushed|merged|"
    r"restored|inlined|"
    r"refactored|rewrote|wrote|made|put|kept|chose|went|used|followed|created|deleted|extracted|switched|enabled|"
    r"disabled|documented|covered|resolved|verified|boosted|squashed|adjusted|answered|dropped|"
    r"converted|cached|reverted|"
    r"set|applied|configured|wired|wrapped|limited|raised|lowered|tightened|anchored|rewritten"
)
DONE = _any(
    rf"\bi(?:'ve| have)? (?:also |now |then |just |simply |therefore )?(?:{_WORK})\b",
    rf"^(?:{_WORK}|done|finished|complete[d]?)\b",
    rf"\b(?:is|are|it's|was|were|been|gets?) (?:now )?(?:\w+ly )?(?:{_WORK}|enabled|done|tested|green|clean)\b",
    r"\b(?:tests?|checks|suite|specs|all|everything) (?:all )?(?:now )?(?:pass(?:es|ed)?|(?:is|are) green)\b",
    r"\b\d[\d,]* (?:tests )?passed\b",
    r"\b(?:fixes|solves|solved) (?:it|this|that)\b",
    r"(?:しました|きました|りました|えました|いました|ました。|済みです|済み。|完了です|成功です|してあります|あります。$|しています。$)",
)
NOT_DONE = _any(
    r"\b(?:not|n't|nothing|never|no)\b.{0,40}\b(?:yet|so far|changed|touched|been)\b",
    r"\bi(?:'ve| have)? (?:assumed|stopped|paused|held|left .{1,60}(?:untouched|alone|as (?:it|they)|out))\b",
    r"まだ|いません|保留|止めて|決めかね|考えて(?:い|お)",
)
PENDING = _any(
    r"\b(?:i|we)(?:'ll|'d| will| would| can| could| need| might)\b",
    r"\bif (?:so|yes|not|you|it|that|they)\b",
    r"\b(?:otherwise|depending|either way|until|i don't want|i'd rather|my preference|i lean)\b",
    r"場合|であれば|なら|たら|必要があ|可能性|考えて|つもり|予定|なります。?$",
)

ASKING_INTRO = _any(
    r"\b(?:unclear|questions?|clarify|clarification|need|open|unsure|not sure|decide|decision|confirm|before i)\b",
    r"\b(?:should|shall|may|can|do) (?:i|we|you)\b",
    r"\b(?:want|like|prefer) (?:me )?(?:to)?\b",
    r"確認|不明|質問|決め|判断|選|教え|ください",
)
CHOICE = _any(
    r"\b(?:options?|which|prefer|choose|pick|select|choice|either|ways?|approach(?:es)?|alternatives?|decide|decision|"
    r"number|directions?|fixes|could do|forward)\b",
    r"どちら|どれ|どの|どうし|案|選|方法|候補|決め|番号",
)
"""Words that make a list nearby a list of options; one right after a question needs none of them."""
RECOMMENDED = re.compile(
    r"\s{0,3}[(（\[【]\s?(?:recommended|default|推奨|おすすめ|お勧め|オススメ)\s?[)）\]】]", _FLAGS
)
