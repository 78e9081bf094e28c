import Foundation

/// A store that SQLCipher 3.4.1 itself has made, with the tables and the settings of Mobile SDK 7.1: 4,000 rounds,
/// pages of 1,024 bytes. The soup `people` has Ada and Grace. The key is the passphrase of `InspectKeyTests`.
enum SQLCipher3File {
    static let bytes = Data(base64Encoded: text, options: .ignoreUnknownCharacters)

    private static let text = """
        Wl2WOgQCBPzKmJ5F3mgdo9/Jl9IRCw329B3+AvsqglS0lgff2bhTg4Hd5vs2ZTMdDSoPwCOe3UC8TT85BeOClzidRS956K4IlyI83QOJIgaDjd4f
        9Fy1+N5xdckcp82oxbUO11fVId20kHWu7kpOZIcBTklmAnClN3NJn7M6qesieHGiHTd8jOYrwmiAcAu7pZDf5Ar7ZbDJgyiUWvu2XCMJ/Tz444/y
        QcjBonWEEJOrxy28viL9gh3CzshuZp5jQ6hK9irWy094R1u5+H90OhmJYATaEUJeiUA5yiMgjDXm0kpHzpNB228WkEScub9oYtSzqqwIaHBij3JN
        jt0QfBOaSPZI6U/gGIH2ZHsLnljwW2w6XpFM+6tKRf5jwcPZPO3yBApjiddGpbcFUyofJ7fee0f2Mdo+HCdJdmhqyKNyvYp/F38T0zQKhs+6bfxq
        GBdbKOG/pZq9+pU/WppNCvQwMpJUkQFo2VCa/84K4Dl4bj++JrvZnea2b7qQl4ENuP2zq+KyXiAIGpukR+tTFfJFg8TBWWUKYQvFgYyR4OB+xcfe
        2+ft5kyrDmUbO03CW0QTCRIK9k4K6smm6CG/cD9G5cJQqRsJ2ai/lzcIG4iDTg+oiYB54/JyTzkoCWCXAlHJQW3F+4UOHU6JMZIl7YMYOMAlNzNG
        npYkr3Xc/5+ycNmzgcTcRmmfXl/SVhgF6VmZTIS9LaUk+TysIRJKBNuNJxoL1Xa+voxCxXXxqm8TWUiZH3SMg+Xr6Oe0mjKdHhIOhDBJzH2sxaND
        pQCjOYU8B5k0QAjoPqgy+vSwvjQ5rsSN3bZeKqjVzKJ6YTbC51qtWD8Yy00AIopZxwgGMFfi9mmk6NF+t06Wyv0Nsyn6+2yCEDDYENnYnMzD2Gfe
        HAmjeoC5Y8VMWIMYi4dN9nHE3Z+v7wsBEAV/ZVGIudIEYfEhWE91U56Q6OW5VGrI6lMfZ2Up/P+M9yt4zdykO8QjpwEIFgJJhewWe6yzNlpN66iI
        PoxQ2+njOoH5E5eObZY6iwO7WYGjjxAX2r8jkIUvM+mGme8yYrrjiQF4Nyu1WAHmwNMa7rkaa9qG/v+1BjFi86kxvd02VO1TGj6jblMUuAvzhHQA
        /mH1pPzIH94fX+6X1PFL+UmXE0XfG8R7bHkbip5sRWSIc19igCdzl+DjDwpwa4cMxNiqzsL+XPEedxnhxgG+ISnJMAAUAkM4Ctt8sgRjAPnt4Obo
        AVCfTch8CmTY7/NB+fzUiPf99fj8zEh6pi7qPOW9fA6vgHjYyZvjc2DOsy84E6zjw6LlS+Uqfcs43gZglYbaqo58ad0WvyO5clJnPrpSPIicYfSA
        UawHzgrBX6Z6HoHsscJaGImqKFFepgbsXF56lsZPlH8a/xXNsKW0cOXlPdI9eyPNMUaYmxrd/axqpPtWzTu9aK+8YI7QIcF8m2HWEUjZWEtHt8LD
        iH35efRi0yjGGXhSIA5qnnJUFtt/bLHnU10jlbsl8ph9I6z0KCbiQQl7BkiUvxKCW6EnyuzN+qC86x9w4OJVh6qvx3/mkjUx5v33ydI9t0xfxoNC
        o8nDziSuYNQ8QEiapGhdpYWd0NRVqwrhZ0BkFArw3vSEyS7/BXLgy1duDmHCBK+cozSCLlwwoUE+F+L5Txf4m9MUJydBtPycgH6V00Y2BZTXDCtu
        yZtQKZwrvcTL6LHUkkIKktcojWc9zOrmHVUaikwDKjGbRINLdOm0dUi9VkRiGUBWHZohZpAuHZuqJ2oLWrUOd+slapGHrcgYDFui6xr0mCa6TuDr
        NUvT+aFDMw6CnyBOwUGiEQAcHq8HiFVtL3bd0TAa4ElY8YYh/RmmNARYNduI8b1xKijNfSWNeVZ53KmWyznmJ0sYRwLqAwgxJKi559MXV995cJ4l
        cxU4mCRFX4uq3x/q5F4n3qF/Kg+YxW1l6ZJ94bB6hmBPPeKf4b2dO9akAWp5k5/D/rO8zxC3NL3yUbdf+G3jjb0t4HnGXn6/R7/p4xyMYRhsQjhw
        PpDHMTKmVSuZ/ABOWfTsbaENPQs/xYaebuzGgkC5gLEFc69oJvhdn9P7aTS2KXq/ljDLKvlyNTcy5nFNTuiCneFNPmqzoaOsZMwskfZLsOPIrwIT
        iQnjC6yw1vuJ0K4Lu+5KFLlQ3w9jTZUuOFPXh4WaFlUE/KXvbzRjmcOd9i2SUZsb6x2FRC+tnf0uleNqNEtGJvqoxTamYh7nbC1zmIVkbu9UQGIq
        FQ3zLp+k3iiKYNtsX5eqOfTytHn2sZ7STu6Kfvqb46mNQ7xC9XbHv3mb5knrbkzNqAHLRzYefcyEfmlvrnQONQJgEzl9kQdyS0fQWEDPuWaIMtss
        QWzpN0g2po0QvKbwtqF6c731O2PIp1y+hJ1+VCD6zMypa/z0oQ0VMCd9t4FIs007Xhc5kAVMkLTcLdO6ZFMu+18bIgkeIJOmMrXPFynuecctaI9p
        Uf+qj6vNfVwsle5P1euOeZHQp74cbFpDZGOfwmr6WHSx679c2BUdpUA5sWc1e0sv/y61MwNVtgqSY5R8+fK7+vxRySIR4tpj64uropJoJ7k8k0Lx
        OgGZKaD4rHs4Yr1wEbT95TO/xEje9t7EMjkP8T1sfQhjPoAIeq7Zwfc3aPUIg2fo/INMgxK8hvSk/WjeJ5pFmWY2Cv5sYezYoZHxRfZstsWYPyi8
        90Bfn/M5XEO/gp2J8qUzz6hyPwBSyXhh43wHJBwd2GDu4q7y3JLqCK7oXgyWCXS9SIQYmw/1rFyibsA5y9fbwhlliHqhzqx58tryn8gQnkZ3yzLI
        cElJcPmM9E6iZqJU2xB8orsVc/T9HV7F7mya1bMz172PtXZtYaMj1PDlvTtbN37P9HHUkUfZ0kaDBB+ViOAqp2dOPpJ+G19ssfm3Eo2W6NwZiRjX
        +JOFD3SJtrkisaLU5r42XyGmXwNgGtrRElQyDKS7jmnexOAWpce2rdB61SvF5PjeA6C/CoPus9NdEpu9h6fVrsfGVXKU4NY4aDnnS896sxJMG9Y2
        mTI0jYjZX/Hxmr7QuNd1JSwdnSmUqgENRig5fsSNOn58MrqT/ME4OkS5XF6FHgtRzwX7tyyyyCHHAD4rGIgYXZR7Gy1PEsiKkKqy6kU2fFfyaD9I
        RSKRUrXqDdXtla+/faz7Rx2sEEqV/qmOOT6dyWwD10UIZz88+U+kZW28wAS5UnL8RMkJ9NcEK+wFB0aLpJXse7Bd0Kd1v1tCFPDAaOFicL+O82VJ
        5+8BMoeITe4UjKG1ZZi9D/80RMhzXAR0ty4ZMEfwRWT9sWh2Fz7So7L3nvpDO7C0Eqm59Qzqe6seCAA+hF4r5DfBbFA4EfnkUgw1x6Mzi+DO/wyR
        gzFpD9S2YL73gh82sUzV5V7L6faLMBNyyCM4f7ff2IGHO2d8g2T9PUcQ2Jra0YTkm60NjJrGL6N+8s9SBMTFqan4i9XxBlEi2kWT3K1o2D4XhOUJ
        BczIbTRvcaF64vo27Yi57SSRY4bcS+sSw9UdpVva9YF535laFVd5xcAf2X+BXvY/lGJaBLflpvLrsIEFZCrHVuRU6DIregPndWn6cvg0TaGQ5iqM
        gF6dCSl/fmgFFQkvWPIjBUAbsUyAEiXPYrTa59Ax8Paf+ggBk8352zrUPxg0aZHzd7pC1wkJJwKCKvxzjgnjwi7U+/XSlOBYm7oBoKwHfq1rsper
        HoWHdL82lCNTHXWZrAmVxUIbCMKZwCSSCTWv0/3VdE7EeYGve0QbaQXMO4biAqp8RTFyzRlRgDMbqDFHKGMYEb687jReULxAphretXIbA5Nd1V/s
        3HjvsbDhKjZv9VxahfEgFF7jalBYw9Io5ZDFUjNU0y2St5pXMrDCg3biLFvmuD8DuqGTEGsh/uxE7horN9sOKdgEmcuX7Sp8GuQqVhdfiV9JoqH/
        5/fwuuOiOcwPGjIRJwX5cEVK/dNCTs8jAtD6OoAU4jgY9ZOasrzjeUU0SdeF75YFZOjYJm+Pz2X7vmlSIGxjOSZxhdITAZkI90COUMsf34a/Rznc
        C/7JeHmcz3kb7MEZ//JQgoosDob9+uIeKyeMBxL1XtsvJbzm1Vf/wBGAwOJAexIC5ytoRWhNq0oajeKjDcFBv/9GU2UEN3+pRHLhUky1tBhwByWP
        /3J+PUy+ORvYctwnamz/S/IUTuqCb7XlPz3G2M+pFdcgOoXNuF1/QeDu9CfO32c1VLtFrG3MGk3Uv+aLQfrcIcuyrYtmhJFqAR/IT8m9URiOhblx
        0bs1RR3/aWaoCZrgkxjrtu1JFwhGzjA3Oa3cpx6WyiHu9lhkg2TrmhPm1aRDwSlcBzv9iNstdqm/sFib9V8Y5XbCYvQb7dXAI6uXJTpYRQZDeYOt
        AcvoekhyV69zhlEqqnt1KCc4vhd06w9oFuzE3OsRktDtZdVPqQzGQ/bbW6ha+F26pDlmt6a8bgI49G0sgt6iFcZDWCuaaGKQ+HG4SkwN0lRglvza
        SfHTodSe8Cv0JPJCCWnceXMNwGmev8+iY/dl7NGXOAEIMIu8mnPZ++Hkrgeh6JeG4mViNk8FO8wi3Nf47C1Y/+wyDCC96KrpiFb4XLucOcEk6qvr
        a1U/EE/QPQHYEfyvbd4aVoPKqb98Ys5NBe+73l3Kj6bK3Lv6Hnidn2ntl45NSAOlxaVLgIvsxbYy3qq+yotsPENbAeywPICQ/Kan56TNgVpkLLx2
        YuUYwaaSlICD9pWvpfpDlSbVFVoFnly5KqxEoS0lcjWIi3X3aORcDbtjnIvLVyqpM2DQXf8nJOlFMiTsEPaJYByeYwH/oi6BcD/Z2yUVEQZN4lbQ
        dJrepI9T2lxtrHYWsKY+EyEUkmcrjucHNyDMVGOEf6AMg0cgs9Mg0VtP3PivQzAGM669XwnDTBqXZgGznjZOOfXk6qoEzc86NxbIWcw7aLPjDVOX
        sRLtVwtceBf8bop12o/86ZnO/WnXqKnihF6moE1Ni6h3Y9PXmOqJzMzazmpn7O8FEHraEIpdHbLe62cCunNdLiODSCdbIEjnz2LDx6jpUip4U+Wb
        RefhTvvoOQ3TkA3Kr/d0aQHR3dWK0gQQr0cDxXVAf77xhssnMHBXsqsDSf+XvR+x/BQ38qmRnHu+oKD8Qdf88k8SBwfYNTuFZwJZX0s/5GqshT+F
        X18hcHbeZp0IDt1iYhwbp35hdv6hmM7FWdZOh1Z29E2qwyXaC62kFcFVgl46kpfSzCj8yZKY7zJgnRmzfqhawjC0nImo+ET7u/uuPDnGUGilizyV
        z6dRAsbzbPoGgRR6DyzlAYzP8g/Qhp2yyv9MffBl/GBM6Un9CKmyGKe6u+n4RrREoQS6KhbtsvChEgR9Z1dBPWGy1ics0hJsLQsRCL87n3uCIxx0
        6q+AQDg9O/Yq0cA6djmOSbEQxopBPB7SCmJqMKoS6di3gekwSJNFPRG44uE+3vZD/zXsv2oZYCKriUb1PSPmu8CtMSeLgstoUxf/HwxjTZVml5K5
        LjFC+eWPXwOrUezAlLdOEL7tUnp4YmT78j/VwVVTCjnFQbCrMBhRRTTlSjsist9jeS746MAuPFT5zzgLEnOu6TIGYgoTunlmzmrb/n+jY4I/9UYJ
        iGvfhMTjswvajhJRdiSXoUaRbw+D9kelD6WAHyHENRYgbNmT7kHYGOGcCK23qa5h95rr4DVBSlV8tazAWOwp64oVQr/CRIDufopUHMBxnAPHG6wB
        FAXQY1eUS6rnVUl167FlzMz/2iGTDqmZh6tcn6ErkRa1JgL9aVxTV1JiYJdyNwWkgXb/BlA20dkN+lIWWmUMF9eYk6oohtDleny4OWf6W7Xf7KKR
        97aAVSiy/Zk1ElcxLucr8vklBBtg58JBh+P5ECNHnH7mGVqkbivs1TGzT8r/gqzXPrEM3J/jX6JINONbFqVpVdecTYJrv/qLJRHAqAYDJpQvk5Ax
        wQ7bnsWikOIpazYWobiqs009ViXgguo8BNiQzylmyJiATmQ0dJUWm3IbmSxvQo5WIuEPZ2J2pr8MzTGLOHZz+e2IenzvCgeMk5dvkM6sqxvac68W
        Yl3fcQr6oQj4I9vfBmVXcTstYKwB0IYmMtpW8dYjyJlwFqgv9JCBOhf13+TD3eYs+m33INuI1Wzf4tOS+S6TspurwltTWtM6+qC6LDuMjCfzG4ls
        hDOfW7EUnV8emSWHt0v/je7UQdAEqBSbybVM1igyMOeHa6ozUKpNl9D5T8othF5oUYmgO983DCGEwNHi830xrnPSNwwe2GM7Ke1x7rRN9EuQdTLq
        mhC3/q5OzYD5nTSOYd1f0MoukoZmrJ9xikBr9pNdawx2zfR4oniHTOi0ug41l0MEJG4hIxFOofzLCVZA3U36w4xRR/n/0+XRWwQj+AIVEmG6m/yQ
        /Zrz/by/6B86oA7XuKXNff3ARKop1U8xDIJea1JzNtDukxYrKWpfbFIZ1IcKGKCzAzhuCzM358+vo3mTPlJpMczTizwHkOW5MBBjZVIwk3YSMihZ
        S8l8AM+imRln+vAfYWukRsU42udfzU+qeryGLlw+rDJ0eSCzaDHgF2nhB2z84h2xMLxAGTDsx+3d/+Qc9fhVxEZbd3E1ziNjzMF/ih5fYDh8VFlF
        Yo9EVw4KfL8rctqD1YtjVKBqDE5BsxfLenM6/lHNfmxi3Wlk9yZiaJO7kzbm5CjDZHQOio+MIatYoRj5KoJHYNiNUx+DTZs87OYcrvyQisB3hJT2
        7hgKLYlYeynntAZjt0efg3MShxVQa7gKV5EBvsmJqu+RwQ1jvedS5uLYQT2e8Yq95bSYkp0yQQyZVjeiFYHVMjtN/LjeVYfQSJFBg0XAIQ3qHk8z
        cZJ9y4nCPMkte7WJ1qWyx6oneNtQOjiH9eH4DlUDIFL0ggREPb6ybh4wPEuwuASeSi/S/QkvSBj0MexUeCLmy6nhlBamrg5US7/Ah81CBVUkFg+T
        5vU2tRDie7Zbk7cldEwTYNzI/DyejehLgDAyeUhxFZDPBkPXJuFYnc2d1Zwa9Uh50qCSEwEFnxv7jhLJPzaBQEqn7Z88rLvfvf1Te4nYnaNPXPbn
        algdEX1tz1yTK5KlvmQo7XJdySrpBzWk3oB5yTSIum1p9EysOjb5tP+c/kF4AlshBSCCV5YYTO2xLsBkbaVeOGzcnLzlAokH2dhAPNboogeNBTvh
        7rn045dudbHjqqWD4XyOP8i0N72HzCwWttmxu5UonxhV3jkq6Gt3ESSZDdYyYtKS+bbe49xDWjBrUimEg+empsqxo99EFaL0jDR3dRDYK10Ubr64
        mQJErq7OF262WZx4WO1l9PMDGNiQjGlo6qsjJ6ip9MiSK5ylQ2uEOy8RaskaLhdQPbHZcC9M46JORz6n5dpv1Ju+03FdEdkTvgHS7TS3nTyPAfdH
        P11NvLbjPCE4xgX63fEBU74j3iSM8bIb7TLkf0QrdQEgMm3uoHGms+C4Ti9lTkBXXoZz4uwLPb/L4mEdqMK7QcRpgOLSjDbT5Bv+scEUeM6jWkJW
        K2f1jCaTR32+ndCBQrbW03ciwwF7NHDgo5t3Bu4FtNQEal/5OyCNJ61OZHoIfWITf5r6czsbclRcxF0IPNZxDNeO5AY7Po3OiWHilgMLWpBRayFH
        lc09/qUakR+sW0uoeuc2MUo0eULPOOU6Qmfth9zvsG+citih6yNhVpegXhoamCbLmJWV7zwkLGiIUC7BQ/IZ3zOP/xld/2Z8merUj//QGIKdtv49
        2fc+nM/f/bQJoOEuaP0vUAbnnZGMKbLaa5QbbnNUEupR/r6sI/U2wtSa4z56Q/bNdKXaA7aJv5bAjh8hFKne8J+t//c2QXqnB131ueOn1ab0DVjc
        n+tM294cm1EdbT9E3oPN8JfD6LgsNnBYjT4X3szja9Dfr8974b96NL5e398w2O7H0cADcidYK1ptPsZlfDMq/WL76ka4v45A/oQRGBSynEKrzjsr
        soKPN91VngtBdMa424xq9T5NTjznKDoulihM9m7VoCSI3Z2IslQKJqqhQ/OeT0uQSZQlzzS8/UigYZoPxBes7ORZVrCz4uG6B1Grvx6rzGs8Hy4p
        BHV/E5ha2n2nMOO3F7pvD8NanOxTBLvyPcHrUBawWQydhvVWZvBpwEQr9LzT56Pez3TEDjgQIJCYh+Wa29ogwgsOYhBOIXUr0Wpghk1Aj68Y+BcI
        KWRjZtwS6Mu0Se6V
        """
}
