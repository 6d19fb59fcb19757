"""The names of assertions in the libraries of five languages.

Written without case, underscores and the leading `assert`: `assertEqual`, `assert_eq!` and `assert.Equal` are `equal`
and `eq`.
"""

from __future__ import annotations

from pilothouse.verify.tamper.model import Shape

_WORDS = {
    Shape.EQUAL: """
        equal equals eq is same sameas strictequal deepequal deepstrictequal looseequal tobe toequal tostrictequal
        isequalto issameas eql eqls equalvalues exactly jsoneq yamleq xmleq arrayequals arrayequal iterableequals
        linesmatch listequal dictequal setequal tupleequal countequal multilineequal sequenceequal containsexactly
        containsexactlyinanyorder containsexactlyentriesof containsexactlyelementsof containsonly elementsmatch
        tohavelength haslength hassize lengthof length len hassamesizeas tohavetext tohavevalue tohaveattribute
        tohaveproperty tohaveurl tohavetitle tohavecount tohavetextcontent tohavestyle hasmessage tohavebeencalledwith
        tohavebeencalledtimes tohavebeencalledoncewith tohavebeenlastcalledwith tohavebeennthcalledwith calledwith
        calledoncewith calledoncewithexactly anycall hascalls calledtimes callcount tohavereturnedwith erroris erroras
        equalerror errorcontains equalto comparesequalto isequaltoignoringcase frameequal seriesequal indexequal
        queryset queriesequal querysetequal htmlequal xmlequal templateused numqueries redirects hastostring hasvalue
        exited fileexists logs nologs warns warnsregex awaitedwith awaitedoncewith
    """,
    Shape.NOT_EQUAL: """
        notequal notequals ne notsame notdeepequal notstrictequal notdeepstrictequal isnotequalto isnotsameas
        notequalvalues isnot
    """,
    Shape.NOTHING: """
        nil null isnull isnone none undefined tobenull tobeundefined isundefined noerror isempty empty tobeempty
        tobenan notcalled notawaited never zero doesnotthrow notraises notthrows nullvalue tobeemptydomelement
        notpanics isemptystring hasnocause
    """,
    Shape.SOMETHING: """
        notnil notnull isnotnull isnotnone tobedefined exist exists isdefined isnotempty notempty tobeinthedocument
        tobeattached error notzero notnullvalue isnotblank haserror anything
    """,
    Shape.TRUE: """
        true istrue tobetruthy tobetrue ok that tobevisible tobeenabled tobechecked toberequired tobevalid tobefocused
        tobehidden tobedisabled condition
    """,
    Shape.FALSE: "false isfalse tobefalsy tobefalse notok",
    Shape.PART: """
        in notin contain contains contained includes include toinclude tocontain tocontainequal tomatchobject tomatch
        match matches regex notregex isinstance notisinstance isinstanceof tobeinstanceof instanceof instance isa an a
        typeof istype isexactlyinstanceof implements startswith endswith hasmessagecontaining hasmessagestartingwith
        tohavebeencalled tohavereturned called calledonce subset keys members property tocontaintext tohaveclass isin
        isnotin containskey containsentry anymatch allmatch nonematch satisfies doesnotcontain notcontains
        notsubset containsstring hasitem hasitems instanceofany deepinclude dictcontainssubset string oneof
        tohavebeencalledonce awaited awaitedonce anysatisfy allsatisfy matchesregex containsanyof hasfieldorproperty
    """,
    Shape.COMPARE: """
        greater greaterequal greaterorequal less lessequal lessorequal greaterthan lessthan greaterthanorequalto
        lessthanorequalto tobegreaterthan tobelessthan tobegreaterthanorequal tobelessthanorequal isgreaterthan
        islessthan isgreaterthanorequalto islessthanorequalto ispositive isnegative above below atleast atmost least
        most within between isbetween positive negative hassizegreaterthan hassizelessthan hassizebetween
    """,
    Shape.APPROX: """
        almostequal tobecloseto isclose indelta inepsilon closeto allclose iscloseto approx approximately approxequal
        relativeeq abseq absdiffeq ulpseq almostequals arrayalmostequal isclosewithin isequaltowithin
    """,
    Shape.RAISES: """
        raises raisesregex throws throwsexactly throwsexception tothrow tothrowerror throwing throw rejects panics
        panicswitherror panicswithvalue thatthrownby thatexceptionoftype thatcode raisesmessage
        thatillegalargumentexception thatnullpointerexception thatillegalstateexception raisesgroup rejectedwith
        rejected berejectedwith
    """,
    Shape.FAIL: "fail failnow failed unreachable fatal fatalf errorf",
    Shape.SNAPSHOT: """
        tomatchsnapshot tomatchinlinesnapshot tothrowerrormatchingsnapshot tothrowerrormatchinginlinesnapshot
        tohavescreenshot tomatchimagesnapshot tomatchariasnapshot snapshot debugsnapshot displaysnapshot yamlsnapshot
        jsonsnapshot ronsnapshot csvsnapshot tomlsnapshot compactjsonsnapshot binarysnapshot tomatchfilesnapshot
        compactdebugsnapshot
    """,
}
SHAPES = {word: shape for shape, words in _WORDS.items() for word in words.split()}

_TRUTHS = {
    Shape.EQUAL: "equals equal deepequal is as equalfold arrayequal",
    Shape.NOTHING: "isnone isempty isnull isnil",
    Shape.SOMETHING: "issome isok iserr any some ispresent nonnull",
    Shape.PART: """
        isinstance instanceof contains includes startswith endswith hasprefix hassuffix containskey has match matches
        issubset issuperset all every matchstring search fullmatch anymatch allmatch
    """,
    Shape.APPROX: "isclose allclose approx",
}
# What a predicate of the language says when it is asserted to be true.
PREDICATES = {word: shape for shape, words in _TRUTHS.items() for word in words.split()}

# Errors that nearly everything is.
BROAD = frozenset({"Exception", "BaseException", "Throwable", "Error", "RuntimeException", "StandardError"})
# What a handler has to catch to hide a failed assertion.
SWALLOWED = BROAD - {"RuntimeException"} | {"AssertionError", "AssertionFailedError"}
# Stand for any value at all, or for any that has a part.
WILDCARDS = frozenset({"any", "anything", "ANY", "anyString", "anyInt", "anyLong", "anyObject", "Anything", "isA"})
PARTIAL_MATCHERS = frozenset({"objectContaining", "arrayContaining", "stringContaining", "stringMatching"})


def plain(name: str) -> str:
    word = name.replace("_", "").lower()
    return word.removeprefix("debug").removeprefix("prop").removeprefix("assert") or word


def shape_of(name: str) -> Shape | None:
    """`Equalf` of Go is `Equal` with a message."""
    word = plain(name)
    return SHAPES.get(word) or (SHAPES.get(word[:-1]) if word.endswith("f") else None)
